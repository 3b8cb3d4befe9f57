/*
 * records: the rows of text of a region as rows of a table: lines of one cell are put together,
 * heads above several columns span them, and the region becomes a grid.
 */
#pragma once

#include "tables/grid.h"
#include "tables/region.h"

/* Makes *grid of a region that was found; its rows are fitted into its strips. */
void records_make(const struct search *search, struct region *region, struct grid *grid);
