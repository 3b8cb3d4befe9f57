/* turned: text that is not upright, and text as the engine found it. */
#pragma once

#include "reflow/flow.h"

/* Lines that are not upright become boxes of the page. */
void turned_add(const struct flow *flow, struct word *words, size_t n, struct page *page);
/* All words in the order of the file, a paragraph for each line the engine saw, upright or not. */
void turned_add_plain(const struct flow *flow, struct word *words, size_t n,
                      struct section *section);
