/* markdown: writes CommonMark with the tables, strikethrough and footnotes of GitHub Flavored
 * Markdown. */
#pragma once

#include "write/markup/markup.h"

struct markdown {
    struct markup markup;
    bool html_tables; /* tables with spans are written as HTML */
    /* Saves a picture, and sets `name` to the name that the text refers to: letters, digits, '-'
     * and '.'. NULL: pictures are omitted. */
    int (*save)(void *hand, const struct page_picture *picture, char *name, size_t cap,
                struct err *err);
    void *hand;

    /* Private to markdown.c. */
    enum markup_block last; /* kind of the previous block */
    bool any;               /* there is a previous block */
    bool in_cell;
    bool in_head;     /* in a table's first row, which is bold anyway */
    size_t cell_from; /* where the cell's text begins */
    bool line_start;  /* the next text is the first of a block */
};

/* A writer of a document; afterwards the text is in markdown->markup.body, or in the file at
 * markup.path. Free with markup_free(&markdown->markup). */
struct writer markdown_writer(struct markdown *markdown);
