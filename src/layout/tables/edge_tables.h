/*
 * edge_tables: words at a page's edges that are in a table. A table that continues repeats its
 * header at the top of each page, and that is not a running header.
 */
#pragma once

#include "layout/tables/grid.h"

/* Reserves the words of lines less than `margin` points from the top or the bottom of the page
 * that are rows of a table: the lines next to them have the same white space between at least
 * three columns. A line above them that says that the table continues is one of them. */
void edge_tables_reserve_rows(struct arena *arena, const struct page_content *content,
                              struct word *words, size_t n, float margin);
/* Reserves the words of ruled tables that begin in the margin and reach farther into the page.
 * A framed header, which ends within the margin, is not one. */
void edge_tables_reserve_grids(const struct page_content *content, const struct grid_list *grids,
                               struct word *words, size_t n, float margin);
/* Whether all words of a ruled table are claimed for the page's header and footer. To be called
 * before anything else claims words. */
bool edge_tables_is_header(const struct word *words, size_t n, const struct grid *grid);
