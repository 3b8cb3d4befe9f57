/* grid_check: detects ruled grids that do not explain the text in them, so that another method may
 * find the table better. */
#pragma once

#include "layout/tables/grid.h"

/* Whether many rows of text have several segments in one cell of the grid: then not all its
 * columns are ruled. Words with an owner do not count. */
bool grid_check_is_doubtful(struct arena *arena, const struct page_content *content,
                            struct word *words, size_t n, const struct grid *grid);
/* Whether the grid is one row of cells, and another of the grids is a row of the same columns: they
 * are stripes of a table whose other rows have no colour. */
bool grid_check_is_stripe(const struct grid_list *grids, const struct grid *grid);
/* Whether most of the grid's words have an owner. */
bool grid_check_is_claimed(const struct word *words, size_t n, const struct grid *grid);
/* Whether all of them have one. */
bool grid_check_is_all_claimed(const struct word *words, size_t n, const struct grid *grid);
