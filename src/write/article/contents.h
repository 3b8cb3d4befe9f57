/* contents: the headings of a text, and the table of contents made of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct contents {
    struct contents_item {
        int level;
        const char *id; /* borrowed */
        char *text;
        size_t n_text;
    } * items;
    size_t n, cap;
};

void contents_add(struct contents *contents, int level, const char *id, const char *text, size_t n);
/* Appends a list of links to the headings up to a level. `titled`: the first heading is that of
 * the whole text, and is left out. Nothing, if there are no headings. */
void contents_write(const struct contents *contents, int depth, bool titled, struct buf *out);
void contents_free(struct contents *contents);
