/* encoding: the character encodings of plain text. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* The names of encodings that a client may give, by the Encoding Standard of the WHATWG. */
extern const char *const encoding_names[];

/* How a text was read. */
struct encoding_found {
    const char *name;   /* of its encoding; NULL: it was UTF-8 */
    bool guessed;       /* neither was it named, nor does the text say it */
    size_t n_wrong;     /* bytes that are not characters of the encoding */
    size_t first_wrong; /* the line of the first of them, from 1 */
};

/*
 * Appends text as UTF-8. `name`: one of encoding_names. NULL: UTF-16 or UTF-8 by a byte order mark,
 * UTF-16 or ISO-2022-JP where the text can hardly be anything else, UTF-8 if it is valid, else the
 * most likely of the others, which is Windows-1252 where nothing speaks for another. Bytes that are
 * not a character become U+FFFD. ERR_INTERNAL if the encoding is not installed.
 */
int encoding_decode(const struct buf *raw, const char *name, struct buf *out,
                    struct encoding_found *found, struct err *err);
