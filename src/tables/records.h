/*
 * records: makes the rows of a table from the rows of text of a region: joins lines of one cell,
 * makes heads above several columns span them, and makes a grid.
 */
#pragma once

#include "tables/grid.h"
#include "tables/region.h"

/* Makes *grid of a region; its rows must have been fitted into its strips. */
void records_make(const struct search *search, struct region *region, struct grid *grid);
