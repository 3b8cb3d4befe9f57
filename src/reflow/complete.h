/* complete: whether a page that was understood still has all its text. */
#pragma once

#include "page/words.h"

/* At least 98 of 100 characters of the words are in the page, its lists' labels included; those
 * that are in `elsewhere` (a header) need not be. */
bool complete_is(const struct page *page, const struct word *words, size_t n, size_t elsewhere);
