/* grid: tables, by the lines that are ruled around their cells. */
#pragma once

#include "page/words.h"

struct grid {
    struct table table; /* without contents */
    float *xs, *ys;     /* n_columns + 1, n_rows + 1 edges on the page */
};

struct grid_list {
    struct grid *items;
    size_t n, cap;
};

/* Tables of at least two cells, two of which hold words; nothing is taken yet. Cells that stand
 * alone, with a line all around them, go to *boxes. */
struct grid_list grids_find(struct arena *arena, const struct sheet *sheet,
                            const struct word *words, size_t n_words, struct grid_list *boxes);
/* A table of so many columns and rows, no cells of which are one; their edges are not set yet. */
void grid_even(struct arena *arena, struct grid *grid, size_t n_columns, size_t n_rows);
/* Where it is and how wide and high its columns and rows are, by its edges. */
void grid_measure(struct grid *grid);
/* Colours its cells, and takes what is drawn in it. */
void grid_dress(struct sheet *sheet, const struct grid *grid);
/* The cell at a point, or NULL. */
struct cell *grid_cell(const struct grid *grid, float x, float y);
