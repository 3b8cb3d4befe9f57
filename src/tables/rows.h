/*
 * rows: the lines of a page or of a part of it, cut into segments at the gaps that are too wide to
 * be spaces between words. What a table without ruled lines is found by.
 */
#pragma once

#include "page/words.h"

#define ROWS_WHITE 0.75F /* font sizes: the least gap between two segments of a row */

/* Words of a row that follow each other without a wide gap: what a cell, or one line of it, can be.
 */
struct segment {
    size_t from, n; /* words of the row's line */
    float x0, x1;
    float point; /* x of the decimal point, or of where the digits end; NAN if it is no number */
    bool value;  /* a number, an amount, a percentage, or a sign for a missing one */
    /* What the columns of a table are when it is tried on the row (tables/strips.h): */
    size_t first, last; /* columns that it covers; SIZE_MAX: none */
};

struct row {
    struct line line; /* its words from left to right, without leaders */
    struct segment *segments;
    size_t n;
    bool led;  /* dots lead from one segment to the next */
    bool used; /* a table has it */
};

struct row_list {
    struct row *items;
    size_t n;
};

/* Rows from top to bottom; lines that stand beside each other at nearly one height are one row.
 * Everything is in the arena. */
struct row_list rows_make(struct arena *arena, const struct line_list *lines);
