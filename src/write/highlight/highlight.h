/* highlight: source code as HTML with classes for what has a colour: comments, strings, numbers,
 * keywords, names of tags and keys, lines that were added and removed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Whether a language, as the first word after a code fence names it, is known. */
bool highlight_knows(const char *language, size_t n);
/* Appends code, escaped, with <span class="..."> of c (comment), s (string), n (number), k
 * (keyword), t (tag, key), i (inserted) and d (deleted). Without spans if the language is not
 * known. */
void highlight_code(const char *language, size_t n_language, const char *code, size_t n,
                    struct buf *out);
