/* collect: Tesseract's words as lines and words of a text layer. */
#pragma once

#include <tesseract/capi.h>

#include "engine/ocr/prepare.h"

/* Adds all words of the iterator to `out`, in reading order. */
void collect_words(TessResultIterator *words, const struct prepared *prepared,
                   struct recognition *out);
