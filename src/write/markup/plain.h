/* plain: writes a document as text in reading order. A paragraph is a line; tables are columns. */
#pragma once

#include "write/markup/markup.h"

struct plain {
    struct markup markup;
    bool form_feeds; /* pages are separated by form feeds */

    /* Private to plain.c. */
    enum markup_block last;
    bool any;
    bool in_cell;
};

/* A writer of a document to the file at plain->markup.path. Free with
 * markup_free(&plain->markup). */
struct writer plain_writer(struct plain *plain);
