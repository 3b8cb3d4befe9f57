/* complete: checks that an analysed page still has all its text. */
#pragma once

#include "layout/page/words.h"

/* The characters of the words of each owner, and of its parts of the model. Those of list labels
 * count, those of headers, footers and charts are taken as shown. */
struct complete_counts {
    size_t wanted[OWNERS], found[OWNERS];
};

void complete_count(const struct page *page, const struct word *words, size_t n,
                    struct complete_counts *counts);
/* True if at least 98 of 100 characters of the words are in the page. */
bool complete_is(const struct page *page, const struct word *words, size_t n);
