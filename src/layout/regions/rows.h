/*
 * rows: the lines of a page or of a part of it, cut into segments at gaps that are wider than
 * spaces between words. Tables without ruled lines are found by them.
 */
#pragma once

#include "layout/page/words.h"

#define ROWS_WHITE 0.75F /* in font sizes: the least gap between two segments of a row */

/* Words of a row without a wide gap between them: a possible cell, or one line of it. */
struct segment {
    size_t from, n; /* words of the row's line */
    float x0, x1;
    /* x of the decimal point, or of the end of the digits; NAN if it is not a number */
    float point;
    bool item;  /* it begins with a bullet */
    bool value; /* a number, an amount, a percentage, or a sign for a missing one */
    /* The columns of the table that is being tried (layout/regions/strips.h): */
    size_t first, last; /* columns that it covers; SIZE_MAX: none */
};

struct row {
    struct line line; /* its words from left to right, without leader dots */
    struct segment *segments;
    size_t n;
    bool led;  /* leader dots connect one segment to the next */
    bool used; /* the row is in a table */
};

struct row_list {
    struct row *items;
    size_t n;
};

/* Makes rows from top to bottom; lines next to each other at nearly one height are one row.
 * Everything is in the arena. */
struct row_list rows_make(struct arena *arena, const struct line_list *lines);
