/* large: big operators: symbols that are larger than the text around them. */
#pragma once

#include "page/words.h"

/* Whether the word is one character that takes limits above and below. */
bool large_is_sum(const struct word *word);
bool large_is_integral(const struct word *word);
/* Moves big operators of TeX's fonts, whose glyphs hang below their origin, to the baseline of the
 * text around them. `sums`: only operators that take limits; else only the others. */
void large_set(const struct sheet *sheet, struct word *words, size_t n, bool sums);
