/*
 * borderless_table: finds borderless tables: columns without lines, as rows of text that are better
 * explained as a table than as text (the criterion: layout/regions/region.h).
 */
#pragma once

#include "layout/tables/grid.h"

/* Finds tables among the lines, of words without an owner; each line is in one table at most.
 * Columns of running text, lists, tables of contents, charts, and labels with values are
 * rejected. `within`: only tables most of whose words are in one of these grids; or NULL. */
struct grid_list borderless_table_find_all(struct arena *arena, const struct page_content *content,
                                           const struct line_list *lines,
                                           const struct grid_list *within);
