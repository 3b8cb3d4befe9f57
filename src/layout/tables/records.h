/*
 * records: makes the rows of a table from the rows of text of a region: joins the lines of a cell,
 * lets column heads above several columns span them, and makes a grid.
 */
#pragma once

#include "layout/regions/region.h"
#include "layout/tables/grid.h"

/* Makes *grid of a region, whose rows must have been fitted into its strips (strips_fit). */
void records_make(const struct search *search, struct region *region, struct grid *grid);
