/*
 * short_columns: columns of a few lines each, which are too short for the white space between them
 * to say that they are columns. Their words do: in each column a sentence goes on from one line to
 * the next, or all lines are items of a list, and nothing goes on from the left to the right.
 */
#pragma once

#include "layout/columns/column_layout.h"

/* The first of n items, from top to bottom, that are short columns, with the white between these in
 * `gutter`; *n_gutters: how many. Returns how many items; 0: none. */
size_t short_columns_find(const struct item *items, size_t n, struct column *gutter,
                          size_t *n_gutters);
