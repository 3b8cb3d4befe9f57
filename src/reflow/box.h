/* box: text with a line all around it: paragraphs with borders. */
#pragma once

#include "paragraph/flow.h"
#include "reflow/zones.h"
#include "tables/grid.h"

/*
 * Makes paragraphs of the words in a grid of one cell, and items of those. Not if something stands
 * beside the box or it holds what borders could not go around as one: it stays drawn.
 */
void box_fill(const struct flow *page, struct sheet *sheet, const struct grid *box,
              struct word *words, size_t n, struct item_list *items);
/* Lines across most of the column, below a paragraph of the list, become its border. */
void box_lines(const struct flow *flow, struct sheet *sheet, struct flowed_list *list);
