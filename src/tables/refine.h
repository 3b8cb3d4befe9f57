/*
 * refine: cells of a ruled table that hold more than one cell of the table, because the lines
 * between those are not drawn. They are divided where the words show it.
 */
#pragma once

#include "tables/grid.h"

/* Divides cells that span several columns where wide white space lies at the edges of those
 * columns, and rows that hold several records one below the other. The words are not taken. */
void refine_grid(struct arena *arena, const struct sheet *sheet, struct word *words, size_t n,
                 struct grid *grid);
