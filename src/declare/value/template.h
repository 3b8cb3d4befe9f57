/* template: a text with placeholders, which are words in braces: "Page {n} of {total}". "{{" and
 * "}}" are literal braces; a single "}" outside a placeholder is one, too. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Checks that every word in braces is one of `words` (NULL-terminated). ERR_INVALID_PARAMETER
 * says what is wrong. */
int template_check(const char *text, const char *const *words, struct err *err);

/* Finds the next placeholder of a text that was checked. Returns its word, in the text, and sets
 * *n to the word's length; NULL if there is none. */
const char *template_word(const char *text, size_t *n);

/* Appends a text that was checked; `fill` appends the value of words[word]. */
void template_expand(const char *text, const char *const *words,
                     void (*fill)(void *arg, size_t word, struct buf *out), void *arg,
                     struct buf *out);
