/* page_pairs: which pages of two documents are the same ones, by the words that both have. */
#pragma once

#include "layout/difference/differences.h"

/*
 * Fills found->pairs. `moved`: for each word of the new list the word of the old one that was moved
 * to it, or DIFFERENCE_NOWHERE; found->partner is set. Errors are those of the matcher, and
 * ERR_LIMIT_EXCEEDED when out of memory.
 */
int page_pairs_find(const struct text_words *old, const struct text_words *new,
                    const uint32_t *moved, const struct page_matcher *matcher,
                    struct differences *found, struct err *err);
