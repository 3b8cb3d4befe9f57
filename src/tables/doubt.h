/* doubt: ruled grids that do not explain the text in them: another way of finding the table may do
 * better. */
#pragma once

#include "tables/grid.h"

/* Whether many rows of text have several segments in one cell of the grid: its columns are not all
 * ruled. Words that are used do not count. */
bool doubt_is(struct arena *arena, const struct sheet *sheet, struct word *words, size_t n,
              const struct grid *grid);
/* Whether most of the grid's words are used. */
bool doubt_is_taken(const struct word *words, size_t n, const struct grid *grid);
