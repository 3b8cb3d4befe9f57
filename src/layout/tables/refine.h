/*
 * refine: divides cells of a ruled table that contain several cells, because the lines between
 * those are not drawn, where the words show it.
 */
#pragma once

#include "layout/tables/grid.h"

/* Divides cells that span several columns if wide white space is at the edges of those columns,
 * and rows that contain several records one below the other. No word is claimed. */
void refine_grid(struct arena *arena, const struct page_content *content, struct word *words,
                 size_t n, struct grid *grid);
