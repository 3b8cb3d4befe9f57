/* cells: fills the cells of a table. */
#pragma once

#include "layout/paragraph/flow.h"
#include "layout/tables/grid.h"

/* Makes blocks of the words inside the grid's cells, for each cell, and claims these words
 * for grid->owner.
 * `page`: a flow of any part of the page. */
void cells_fill(const struct flow *page, struct grid *grid, struct word *words, size_t n);
