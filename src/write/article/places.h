/* places: lines of a text, for a warning: "lines 3, 8 and 12". */
#pragma once

#include "base/buf.h"

struct places {
    int lines[8]; /* the first ones */
    int last;
    size_t n;        /* all of them */
    char first[200]; /* what was said of the first one */
};

void places_add(struct places *places, int line, const char *first);
/* "line 3", "lines 3 and 8", "lines 3, 8, 9 and 100 more" */
void places_write(const struct places *places, struct buf *out);
