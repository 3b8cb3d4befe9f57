/* language_guess: which language a text is in, by its most frequent short words. The text may have
 * been recognised as another language of the same script, with some letters wrong. */
#pragma once

#include <stddef.h>

#include "pdf/text_layer/text_layer.h"

/* Tesseract's code of the language; NULL if the text is too short or not clearly in one of those
 * that are known. */
const char *language_guess(const struct layer_page *page);
/* The codes of languages in a script, most frequent first, NULL-terminated; by the names that
 * Tesseract gives scripts ("Cyrillic"). NULL for an unknown script, and for Latin. */
const char *const *language_guess_of_script(const char *script);
