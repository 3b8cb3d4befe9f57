/* column_tail: text below columns, at the left, that belongs to what comes after them and not to
 * the left column. */
#pragma once

#include "layout/columns/column_layout.h"

/* How many of n items, from top to bottom, are in the columns, with `n_gutters` places of white
 * between these. */
size_t column_tail_before(const struct item *items, size_t n, const struct column *gutter,
                          size_t n_gutters);
