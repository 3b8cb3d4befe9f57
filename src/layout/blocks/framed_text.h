/* framed_text: paragraphs with borders: text with a line all around it. */
#pragma once

#include "layout/columns/column_layout.h"
#include "layout/paragraph/flow.h"
#include "layout/tables/grid.h"

/*
 * Makes paragraphs of the words in a grid of one cell, and items of these. Does nothing if
 * something is next to the box, or if one border could not surround its contents: it then stays a
 * drawing.
 */
void framed_text_fill(const struct flow *page, struct page_content *content, const struct grid *box,
                      struct word *words, size_t n, struct item_list *items);
/* Turns each line that is nearly as wide as the column, and is below a paragraph of the list, into
 * the lower border of that paragraph. */
void framed_text_underline(const struct flow *flow, struct page_content *content,
                           struct flowed_list *list);
