/*
 * writer: the interface between reading and writing. The layout analysis passes pages, one
 * after the other, to an implementation of this interface, which writes a file of its format: a
 * Word document (docx/), text, Markdown or HTML (markup/), a workbook (xlsx/). Writers know nothing
 * of MuPDF and PDF, and the analysis knows nothing of formats.
 */
#pragma once

#include "base/err.h"
#include "layout/page/header_sets.h"
#include "layout/page/numbering.h"

#define OUTLINE_NOWHERE SIZE_MAX

/* An item of the document's outline (its bookmarks). */
struct outline_entry {
    char *title; /* UTF-8; NULL: there was no memory */
    char *uri;   /* the address that it leads to; NULL: a page, or nowhere */
    size_t page; /* that page, from 0; or OUTLINE_NOWHERE */
    float y;     /* points from the top of the page as seen; NAN: not given */
    int level;   /* from 1 */
    bool open;   /* the items below it are shown at first */
};

/* Properties of the whole document. Texts are borrowed while the writer lives. */
struct document_facts {
    const char *title;       /* UTF-8; "" if the document has none */
    const char *language;    /* a BCP 47 tag such as "de-CH"; "" if it is not known */
    bool exact;              /* paragraphs keep their places, in frames, instead of flowing */
    const char *family;      /* font family of most of the text */
    float size;              /* size of most of the text in points */
    bool has_head, has_foot; /* pages have headers, footers */
    bool alternates;         /* pages with even numbers have headers and footers of their own */
    bool mirrored;           /* left and right margins change places on pages with even numbers */
    float head_y, foot_y;    /* distance of header, footer from the edge of the page; 0: unknown */
    int first_number;        /* number of the first page; 0: it is 1 */
    size_t n_pages;          /* of the document, of which fewer may be written */
    const struct outline_entry *outline; /* n_outline entries, if they were asked for */
    size_t n_outline;
};

struct writer {
    /* Begins the document. `numbering` grows while pages are read; it and `facts` outlive the
     * writer. */
    int (*open)(void *to, const struct document_facts *facts, const struct numbering *numbering,
                struct err *err);
    /*
     * Writes a page; page and content are borrowed for the call. Returns 1 if the writer could not
     * represent the page without losing words, and wrote nothing of it: the caller calls again with
     * page->plain set, which is always written.
     */
    int (*page)(void *to, const struct page *page, const struct page_content *content,
                struct err *err);
    /* Ends the document and its file. `fonts` are the document's. */
    int (*end)(void *to, const struct header_sets *headers, const struct page_font *fonts,
               struct err *err);
    void *to; /* first argument of all functions */
};
