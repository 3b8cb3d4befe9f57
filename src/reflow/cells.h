/* cells: fills the cells of a table. */
#pragma once

#include "paragraph/flow.h"
#include "tables/grid.h"

/* Moves the words inside the grid's cells into blocks of the cells; `page`: any flow of the
 * page. */
void cells_fill(const struct flow *page, struct grid *grid, struct word *words, size_t n);
