/* row_labels: gives a ruled table the labels of its rows that are next to it, outside of its lines.
 */
#pragma once

#include "layout/tables/grid.h"

/* Adds a column at the left of a grid if most of its rows have one line of words there. `grids`:
 * all tables of the page, whose words are theirs. Nothing is claimed. */
void row_labels_add(struct arena *arena, const struct word *words, size_t n,
                    const struct grid_list *grids, struct grid *grid);
