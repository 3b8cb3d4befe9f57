/* html: one page of HTML that needs nothing else: pictures and style are in it, scripts are not. */
#pragma once

#include "markup/markup.h"

struct html {
    struct markup markup;
    const char *title; /* if the document has none; borrowed */
    bool pictures;     /* pictures are put into the page (RFC 2397) */

    /* For html.c: the lists that are open, from the outermost. */
    struct html_list {
        int list;
        bool ordered;
    } lists[NUMBERING_LEVELS];
    int n_lists;
    unsigned n_pictures;
    bool in_head;   /* what is written is in the head of a table, which is bold by itself */
    bool unwrapped; /* and its paragraph is all of its cell, and no element of its own */
};

/* The writer of a document to the file at html->markup.path. Free with markup_free(&html->markup).
 */
struct writer html_writer(struct html *html);

/* A table as HTML in a text of another format. */
void html_table(struct markup *markup, const struct table *table);
