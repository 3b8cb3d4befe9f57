/*
 * open_body: rows below the ruled or coloured head of a table that have no lines of their own: each
 * of their texts is in one of the columns of the head.
 */
#pragma once

#include "layout/tables/grid.h"

/* Adds such rows to a grid of one row, up to the next of the grids. `words`: those without an owner
 * are looked at; nothing is claimed. False: there is none. */
bool open_body_add(struct arena *arena, const struct page_content *content, struct word *words,
                   size_t n, const struct grid_list *grids, struct grid *grid);
