/* encoding: the character encodings of plain text. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* The names of encodings that a client may give, by the Encoding Standard of the WHATWG. */
extern const char *const encoding_names[];

/*
 * Appends text as UTF-8. `name`: one of encoding_names; bytes that are not a character become
 * U+FFFD. NULL: UTF-16 by its byte order mark, UTF-8 if it is valid, else the most likely of the
 * others, which is Windows-1252 where nothing speaks for another. *guessed is then its name, NULL
 * if nothing was guessed. ERR_INTERNAL if the encoding is not installed.
 */
int encoding_decode(const struct buf *raw, const char *name, struct buf *out, const char **guessed,
                    struct err *err);
