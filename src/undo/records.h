/*
 * records: what a carrier put between the bytes of a file by a rule of its own: marks of chunks,
 * line ends in lines that were too long, bytes that were doubled. Each function appends to `out`
 * the file without it; false, and `out` to be thrown away, where nothing speaks for it. Whether it
 * is right is for others to judge (undo/evidence.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The marks of HTTP's chunked transfer (RFC 9112, 7.1): two or more that say how far the next one
 * is. */
bool records_chunks(const unsigned char *data, size_t n, struct buf *out);
/* Line ends behind lines of the greatest length that there is, if several have it: a carrier
 * allowed no longer ones (RFC 5321, 4.5.3.1.6). */
bool records_long_lines(const unsigned char *data, size_t n, struct buf *out);
/* The byte 255, always doubled (RFC 854). */
bool records_doubled(const unsigned char *data, size_t n, struct buf *out);
/* A dot at the beginning of a line, always doubled (RFC 5321, 4.5.2). */
bool records_dots(const unsigned char *data, size_t n, struct buf *out);
/* Eight blanks, or four: a tab. */
bool records_tabs(const unsigned char *data, size_t n, size_t blanks, struct buf *out);
