/* redact_disguise: what text says whose characters are written in another way, or lie apart: in
 * markup, in escapes of addresses and of scripts, with marks of language. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the text without elements of markup, with characters in place of numbers and names of
 * XML, of %XX, and of \uXXXX and \xXX of JavaScript, and without the marks of language that strings
 * have (ISO 32000-1, 7.9.2.2). False: it is the same text. Time and memory are in proportion to
 * n. */
bool redact_disguise_plain(const char *text, size_t n, struct buf *out);
