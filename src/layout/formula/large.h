/* large: big operators: symbols that are larger than the text around them. */
#pragma once

#include "layout/page/words.h"

/* Whether the word is a single character that takes limits above and below it, such as a sum; or
 * that takes them to its right, an integral. */
bool large_is_sum(const struct word *word);
bool large_is_integral(const struct word *word);
/* Moves big operators of TeX's fonts, whose glyphs hang below their origin, to the baseline of the
 * text around them. `sums`: only operators that take limits; else only the others. */
void large_set(const struct page_content *content, struct word *words, size_t n, bool sums);
