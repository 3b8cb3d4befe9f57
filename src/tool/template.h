/* template: a text with words in braces that are filled in: "Page {n} of {total}". "{{" and
 * "}}" stand for braces; a "}" that closes nothing for itself. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Whether every word in braces is one of `words` (NULL-terminated): else ERR_INVALID_PARAMETER,
 * which says what is wrong. */
int template_check(const char *text, const char *const *words, struct err *err);

/* The next word in braces of a text that was checked, behind its brace, and how many bytes it has;
 * NULL if there is none. */
const char *template_word(const char *text, size_t *n);

/* Appends a text that was checked; `fill` puts what stands for words[word]. */
void template_expand(const char *text, const char *const *words,
                     void (*fill)(void *cls, size_t word, struct buf *out), void *cls,
                     struct buf *out);
