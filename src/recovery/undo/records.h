/*
 * records: removes bytes that a transport inserted regularly: chunk headers, line ends in lines
 * that were too long, doubled bytes. Each function appends the file without them to `out`; false,
 * and `out` must be dropped, if nothing suggests them. The caller checks the result
 * (recovery/undo/evidence.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Removes the chunk headers of HTTP (RFC 9112, 7.1): two or more that give the distance to the
 * next one. */
bool records_chunks(const unsigned char *data, size_t n, struct buf *out);
/* Removes line ends after lines of the greatest length in the file, if several have it: a
 * transport limited the length of lines (RFC 5321, 4.5.3.1.6). */
bool records_long_lines(const unsigned char *data, size_t n, struct buf *out);
/* Removes doublings of the byte 255 (RFC 854). */
bool records_doubled(const unsigned char *data, size_t n, struct buf *out);
/* Removes doublings of a dot at the beginning of a line (RFC 5321, 4.5.2). */
bool records_dots(const unsigned char *data, size_t n, struct buf *out);
/* Replaces each run of `blanks` blanks, at most 8, by a tab. */
bool records_tabs(const unsigned char *data, size_t n, size_t blanks, struct buf *out);
