/* complete: checks that an analysed page still has all its text. */
#pragma once

#include "page/words.h"

/* True if at least 98 of 100 characters of the words are in the page, including list labels.
 * `elsewhere`: the number of their glyphs that are represented elsewhere, such as in a header. */
bool complete_is(const struct page *page, const struct word *words, size_t n, size_t elsewhere);
