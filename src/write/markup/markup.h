/*
 * markup: writes a document as text, Markdown or HTML. It walks the pages that a writer gets
 * (layout/page/writer.h) and calls the functions of one format for each part. Headers and footers
 * are omitted; a paragraph that continues on the next page is one paragraph; footnotes come at the
 * end of the document.
 */
#pragma once

#include <stdio.h>

#include "base/buf.h"
#include "layout/page/writer.h"

struct markup;

/* The character style of a stretch of text. */
struct markup_style {
    bool bold, italic, underline, strike;
    bool typed; /* of a program: in a monospaced font, which the document's text is not */
    enum script script;
    const char *uri; /* target of a link, with a scheme that is safe to open; or NULL */
    size_t page;     /* target of a link within the document, from 1; 0: none */
};

enum markup_block {
    MARKUP_PARAGRAPH,
    MARKUP_HEADING,
    MARKUP_ITEM /* item of a list */
};

struct markup_paragraph {
    enum markup_block block;
    int heading; /* heading level, from 1 */
    int list;    /* number of its list, from 1 */
    int level;   /* how many items it is in */
    /* the style of the level's labels; NULL if the block is not an item */
    const struct label *label;
    int value; /* number of the item */
    bool rtl;
    enum align align;
};

/* The functions of a format. All write to markup->out. */
struct markup_format {
    void (*begin)(struct markup *markup);
    void (*end)(struct markup *markup);
    void (*page)(struct markup *markup); /* begins a page; a paragraph may be open */
    void (*open)(struct markup *markup, const struct markup_paragraph *paragraph);
    void (*close)(struct markup *markup, const struct markup_paragraph *paragraph);
    /* A stretch of the open paragraph: UTF-8 without line breaks. */
    void (*text)(struct markup *markup, const char *text, size_t n,
                 const struct markup_style *style);
    void (*formula)(struct markup *markup, const struct formula *formula);
    /* The mark of the footnote `number`, from 1. */
    void (*mark)(struct markup *markup, unsigned number, const struct run *run);
    void (*note_open)(struct markup *markup, unsigned number);
    void (*note_close)(struct markup *markup, unsigned number);
    /* Writes a table, without its end if it continues on the next page. `rest`: the table continues
     * the last one, and is appended to it without the repeated rows. */
    void (*table)(struct markup *markup, const struct table *table, bool rest);
    /* Ends a table that continued; NULL: nothing is to be written. */
    void (*table_end)(struct markup *markup);
    /* Writes the lines of a program as they are, each with its end. */
    void (*listing)(struct markup *markup, const char *text, size_t n);
    /* 1: the picture is written; 0: pictures are left out; -1: it could not be saved. NULL: the
     * format has no pictures. */
    int (*picture)(struct markup *markup, const struct page_picture *picture, struct err *err);
};

struct markup {
    const struct markup_format *format;
    void *own;        /* the format's own state */
    const char *path; /* of the result, borrowed; NULL: it stays in `body` */
    const struct document_facts *facts;
    const struct numbering *numbering;

    /* The members below are for markup.c and the formats. */
    FILE *file;
    struct buf *out; /* the text so far: of the document, a footnote or a cell */
    struct buf body, notes;
    struct buf said; /* the page's text without blanks and markup */
    const struct page_font *fonts;
    const struct page_content *content;
    size_t page;     /* number of the page in the result, from 1 */
    bool continues;  /* the open paragraph continues on the next page */
    bool table_open; /* the last table continues on the next page */
    bool is_open;    /* there is an open paragraph, described by the next members */
    struct markup_paragraph paragraph;
    int list, last[NUMBERING_LEVELS]; /* the current list, and the last number of each level */
    /* The levels of the items that the next one can be in, from the outermost. */
    int inside[NUMBERING_LEVELS], n_inside;
    char after; /* the first byte after the stretch that text() writes; '\0': nothing follows */
    unsigned n_notes;
    int depth; /* depth of nested tables */
};

/* A writer of the file at markup->path; free it with markup_free. */
struct writer markup_writer(struct markup *markup);
void markup_free(struct markup *markup);

/* Writes the blocks of a cell, for a format's table(). */
void markup_blocks(struct markup *markup, const struct block *blocks, size_t n);
/* Whether a bullet says something, and not only that an item begins: a check box or a tick, or one
 * of several different bullets of a list.
 */
bool markup_says_something(const struct label *label);
/* Writes the label of a list item as it is displayed, "3.", "b)" or "(iv)", or its bullet. */
void markup_label(const struct markup_paragraph *paragraph, char *out, size_t cap);
