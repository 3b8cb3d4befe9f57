/* large: symbols that are larger than the text they stand in. */
#pragma once

#include "page/words.h"

/* Whether it is one character of those that have limits above and below. */
bool large_is_sum(const struct word *word);
bool large_is_integral(const struct word *word);
/* Symbols of TeX's fonts that hang down from where they are put are set on their lines; `sums`:
 * those that have limits, or only the others. */
void large_set(const struct sheet *sheet, struct word *words, size_t n, bool sums);
