/* grid: finds ruled tables: by the lines around their cells. */
#pragma once

#include "layout/page/words.h"

struct grid {
    struct table table; /* without contents */
    float *xs, *ys;     /* n_columns + 1 and n_rows + 1 edges on the page */
    enum owner owner;   /* what its words and fills are claimed for */
};

struct grid_list {
    struct grid *items;
    size_t n, cap;
};

/* Finds tables of at least two cells, two of which contain words; nothing is claimed yet.
 * Single cells with a line all around them go to *boxes. */
struct grid_list grid_find_all(struct arena *arena, const struct page_content *content,
                               struct word *words, size_t n_words, struct grid_list *boxes);
/* Makes a table with n_columns and n_rows and without merged cells; its edges are not set yet. */
void grid_even(struct arena *arena, struct grid *grid, size_t n_columns, size_t n_rows);
/* Sets the table's area and the sizes of its columns and rows from its edges. */
void grid_measure(struct grid *grid);
/* Sets fills of its cells, and claims what is drawn in it. */
void grid_claim(struct page_content *content, const struct grid *grid);
/* Claims the lines around it. */
void grid_claim_frame(struct page_content *content, const struct grid *grid);
/* The cell at a point, or NULL. */
struct cell *grid_cell(const struct grid *grid, float x, float y);
