/*
 * sidebars: finds pairs of independent columns next to each other, such as the sidebar of a
 * curriculum vitae and its main text. Lines of both may be at one height without being rows of a
 * table.
 */
#pragma once

#include "layout/columns/column_layout.h"

#define SIDES 4 /* limit of such pairs on a page */

/* Marks the words of lines, and the other items, that are in such columns (word.side,
 * item.side); returns how many pairs there are, with the n that are marked already. */
size_t sidebars_find(struct arena *arena, const struct page_content *content,
                     const struct line_list *lines, struct item_list *items, size_t n);
