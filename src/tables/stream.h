/* stream: tables without ruled lines, by the white between their columns. */
#pragma once

#include "tables/grid.h"

/*
 * Tables of at least three rows and columns, whose cells are short and stand under each other, of
 * words that are not used. Lines of running text, columns of a page and labels with values are
 * none.
 */
struct grid_list streams_find(struct arena *arena, const struct sheet *sheet,
                              const struct line_list *lines);
