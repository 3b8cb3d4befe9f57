/* box: paragraphs with borders: text with a line all around it. */
#pragma once

#include "layout/paragraph/flow.h"
#include "layout/reflow/zones.h"
#include "layout/tables/grid.h"

/*
 * Makes paragraphs of the words in a grid of one cell, and items of these. Does nothing if
 * something is next to the box, or if one border could not surround its contents: it then stays a
 * drawing.
 */
void box_fill(const struct flow *page, struct sheet *sheet, const struct grid *box,
              struct word *words, size_t n, struct item_list *items);
/* Turns each line that is nearly as wide as the column, and is below a paragraph of the list, into
 * the lower border of that paragraph. */
void box_lines(const struct flow *flow, struct sheet *sheet, struct flowed_list *list);
