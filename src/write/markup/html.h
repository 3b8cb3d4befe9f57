/* html: writes a document as one self-contained HTML page: with pictures and style, without
 * scripts. */
#pragma once

#include "write/markup/markup.h"

struct html {
    struct markup markup;
    const char *title; /* used if the document has no title; borrowed */
    bool pictures;     /* pictures are embedded in the page (RFC 2397) */

    /* Private to html.c: the open lists, from the outermost. */
    struct html_list {
        int list;
        bool ordered;
    } lists[NUMBERING_LEVELS];
    int n_lists;
    unsigned n_pictures;
    bool in_head;   /* the current text is in a table's header, which is bold anyway */
    bool unwrapped; /* the paragraph is the whole cell, and not an element of its own */
};

/* A writer of a document to the file at html->markup.path. Free with markup_free(&html->markup). */
struct writer html_writer(struct html *html);

/* Writes a table as HTML into a text of another format. `rest`: the table continues the one that
 * was written last, without its repeated rows. html_table_end ends it. */
void html_table(struct markup *markup, const struct table *table, bool rest);
void html_table_end(struct markup *markup);
