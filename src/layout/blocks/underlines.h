/* underlines: finds decorations of words: highlighting, underlines, strike-through lines. */
#pragma once

#include "layout/page/words.h"

/* Sets highlight, under and through of the n words by the fills of the page along or under
 * them, and claims these fills. */
void underlines_find(struct page_content *content, struct word *words, size_t n);
