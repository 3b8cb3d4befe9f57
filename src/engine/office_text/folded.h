/* folded: letters and digits as they are compared, whatever their case and their typographic form.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the letters and digits of n bytes of text (UTF-8), without case and ligatures
 * (Unicode, NFKD and case folding), and leaves out all between them. */
void folded_put(struct buf *out, const char *text, size_t n);

/* The next word of a text from *at on: a letter with the letters, digits and marks after it.
 * Returns its length and sets *word; 0 after the last one. `plain`: whether all of its letters are
 * of scripts that a PDF has in the order in which they are read, without other shapes. */
size_t folded_next_word(const char *text, size_t n, size_t *at, const char **word, bool *plain);
