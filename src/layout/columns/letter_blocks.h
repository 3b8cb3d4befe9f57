/*
 * letter_blocks: finds two blocks of a letter or an invoice that stand next to each other on one
 * line grid: the address, and a block of information (DIN 5008), a second address, or a block in a
 * frame. Their lines are at the same heights without being rows of a table.
 */
#pragma once

#include "layout/columns/column_layout.h"

struct letter_page {
    const struct area *frames; /* rectangles that are drawn on the page */
    size_t n_frames;
    bool is_short; /* the document has few pages: blocks need not have an address */
};

/* Marks the words of lines, and the other items, that are in such blocks as the first pair of
 * columns (word.side, item.side). Returns the number of pairs: 0 or 1. */
size_t letter_blocks_find(struct arena *arena, const struct page_content *content,
                          const struct line_list *lines, struct item_list *items,
                          const struct letter_page *page);
