/* template: a text with placeholders in braces: "Page {n} of {total}". "{{" and "}}" mean
 * literal braces; so does a "}" without an opening one. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Checks that every word in braces is one of `words` (NULL-terminated). ERR_INVALID_PARAMETER
 * says what is wrong. */
int template_check(const char *text, const char *const *words, struct err *err);

/* Finds the next word in braces of a text that was checked, after its brace, and its length;
 * NULL if there is none. */
const char *template_word(const char *text, size_t *n);

/* Appends a text that was checked; `fill` appends the value of words[word]. */
void template_expand(const char *text, const char *const *words,
                     void (*fill)(void *cls, size_t word, struct buf *out), void *cls,
                     struct buf *out);
