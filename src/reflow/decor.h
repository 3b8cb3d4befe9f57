/* decor: what is drawn behind, under and through words: highlighting, underlines, strikes. */
#pragma once

#include "page/words.h"

void decor_find(struct sheet *sheet, struct word *words, size_t n);
