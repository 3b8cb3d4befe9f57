/* decor: finds decorations of words: highlighting, underlines, strike-through lines. */
#pragma once

#include "page/words.h"

void decor_find(struct sheet *sheet, struct word *words, size_t n);
