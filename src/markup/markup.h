/*
 * markup: text, Markdown and HTML of a document. It walks the pages that a writer gets
 * (reflow/writer.h) and calls the functions of one format for each part. Headers and footers are
 * left out; a paragraph that continues on the next page is one paragraph; footnotes come at the end
 * of the document.
 */
#pragma once

#include <stdio.h>

#include "base/buf.h"
#include "reflow/writer.h"

struct markup;

/* What a stretch of text looks like, of what such formats can say. */
struct markup_style {
    bool bold, italic, underline, strike;
    enum script script;
    const char *uri; /* target of a link, of a scheme that is safe to open; or NULL */
    size_t page;     /* target of a link within the document, from 1; 0: there is none */
};

enum markup_block {
    MARKUP_PARAGRAPH,
    MARKUP_HEADING,
    MARKUP_ITEM /* of a list */
};

struct markup_paragraph {
    enum markup_block block;
    int heading;               /* its level, from 1 */
    int list;                  /* number of its list, from 1 */
    int level;                 /* of the item, from 0 */
    const struct label *label; /* as the items of the level look; NULL if the block is no item */
    int value;                 /* number of the item */
    bool rtl;
    enum align align;
};

/* The parts of a document in one format. All write to markup->out. */
struct markup_format {
    void (*begin)(struct markup *markup);
    void (*end)(struct markup *markup);
    void (*page)(struct markup *markup); /* a page begins; a paragraph may be open */
    void (*open)(struct markup *markup, const struct markup_paragraph *paragraph);
    void (*close)(struct markup *markup, const struct markup_paragraph *paragraph);
    /* A stretch of the open paragraph: UTF-8, without line breaks. */
    void (*text)(struct markup *markup, const char *text, size_t n,
                 const struct markup_style *style);
    void (*formula)(struct markup *markup, const struct formula *formula);
    /* The mark of the footnote `number`, from 1. */
    void (*mark)(struct markup *markup, unsigned number, const struct run *run);
    void (*note_open)(struct markup *markup, unsigned number);
    void (*note_close)(struct markup *markup, unsigned number);
    void (*table)(struct markup *markup, const struct table *table);
    /* -1: `err` says why the picture could not be kept. NULL: the format has no pictures. */
    int (*picture)(struct markup *markup, const struct sheet_picture *picture, struct err *err);
};

struct markup {
    const struct markup_format *format;
    void *own;        /* the format's */
    const char *path; /* of the result, borrowed; NULL: it stays in `body` */
    const struct document_facts *facts;
    const struct numbering *numbering;

    /* What is below is for markup.c and the formats. */
    FILE *file;
    struct buf *out; /* text so far: the document's, a note's or a cell's */
    struct buf body, notes;
    struct buf said; /* the page's text without blanks and markup */
    const struct sheet_font *fonts;
    const struct sheet *sheet;
    size_t page;    /* number of the page in the result, from 1 */
    bool continues; /* the paragraph that is open goes on with the page that comes */
    bool is_open;   /* there is an open paragraph: */
    struct markup_paragraph paragraph;
    int list, last[NUMBERING_LEVELS]; /* the list that is counted, and its last numbers */
    unsigned n_notes;
    int depth; /* of tables in cells */
};

/* A writer of the file at markup->path; markup_free frees what it took. */
struct writer markup_writer(struct markup *markup);
void markup_free(struct markup *markup);

/* The blocks of a cell, for a format's table(). */
void markup_blocks(struct markup *markup, const struct block *blocks, size_t n);
/* Adds UTF-8 text to markup->said. */
void markup_said(struct markup *markup, const char *text, size_t n);
/* The number or letter of a list's item as it is read, "3.", "b)" or "(iv)", or its bullet. */
void markup_label(const struct markup_paragraph *paragraph, char *out, size_t cap);
