/* edge_words: compares headers and footers, page by page: what repeats on all pages would else be
 * taken for that of another page. */
#pragma once

#include "layout/difference/differences.h"

/* Adds the differences of the edges of found->pairs, and of pages that only one document has.
 * ERR_LIMIT_EXCEEDED when out of memory. */
int edge_words_compare(const struct text_words *old, const struct text_words *new,
                       struct differences *found, struct err *err);
