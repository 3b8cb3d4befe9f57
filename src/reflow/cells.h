/* cells: what stands in the cells of a table. */
#pragma once

#include "paragraph/flow.h"
#include "tables/grid.h"

/* Takes the words that stand in the grid's cells and makes blocks of them; `page`: any flow of the
 * page. */
void cells_fill(const struct flow *page, struct grid *grid, struct word *words, size_t n);
