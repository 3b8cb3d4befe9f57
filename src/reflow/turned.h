/* turned: text that is not upright, in cells of no table. */
#pragma once

#include "paragraph/flow.h"
#include "reflow/zones.h"

/* Whether a word goes straight up or down. */
bool turned_is_quarter(const struct word *word);
/* Makes paragraphs of the words that are turned and not used. Where the page is to flow they become
 * `items`, at the place they have; what goes up or down in a margin is put into a box there, and
 * what else is in the margins or along an arc goes to `aside`. Else all are put into boxes. */
void turned_add(const struct flow *flow, struct word *words, size_t n, struct page *page,
                struct item_list *items, struct block_list *aside);
void turned_add_boxes(const struct flow *flow, struct word *words, size_t n, struct page *page);
/* Every word in the order of the file, a paragraph for each line the engine saw. */
void turned_add_plain(const struct flow *flow, struct word *words, size_t n,
                      struct section *section);
