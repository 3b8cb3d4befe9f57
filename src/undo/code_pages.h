/*
 * code_pages: files that a program took for text in an encoding of one byte a character, and wrote
 * again as UTF-8 (RFC 3629).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define CODE_PAGES 18

/*
 * Appends the bytes that the characters of the file were in the encoding numbered `page`, below
 * CODE_PAGES (the first is Latin-1 with Windows-1252). Bytes that are no UTF-8, and characters that
 * the encoding does not have, stay as they are. False, and `out` to be thrown away, if these are
 * more than one in fifty, or there are next to no others: then this is not what happened.
 */
bool code_pages_decode(const unsigned char *data, size_t n, unsigned page, struct buf *out);

/*
 * Appends the file with one byte, '?', for every U+FFFD: programs put that for each piece of a file
 * that is no UTF-8. The bytes are gone, but most things are in their places again. False if there
 * are next to none.
 */
bool code_pages_shorten(const unsigned char *data, size_t n, struct buf *out);

/* The byte that a character of Latin-1 or Windows-1252 was, -1: it is of neither. */
int code_pages_byte(unsigned point);
