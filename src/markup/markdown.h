/* markdown: CommonMark with the tables, strikethrough and footnotes of GitHub Flavored Markdown. */
#pragma once

#include "markup/markup.h"

struct markdown {
    struct markup markup;
    bool html_tables; /* tables keep their spans, as HTML */
    /* Keeps a picture, and says in `name` what the text calls it: letters, digits, '-' and '.'.
     * NULL: pictures are left out. */
    int (*save)(void *hand, const struct sheet_picture *picture, char *name, size_t cap,
                struct err *err);
    void *hand;

    /* For markdown.c. */
    enum markup_block last; /* kind of the block before */
    bool any;               /* there is one */
    bool in_cell;
    bool in_head;     /* in a table's first row, which is bold by itself */
    size_t cell_from; /* where the cell's text begins */
    bool line_start;  /* the next text is the first of a block */
};

/* The writer of a document; the text is in markdown->markup.body afterwards, or in the file at
 * markup.path. Free with markup_free(&markdown->markup). */
struct writer markdown_writer(struct markdown *markdown);
