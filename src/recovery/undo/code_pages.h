/*
 * code_pages: restores files that a program read as text in a single-byte encoding and wrote as
 * UTF-8 (RFC 3629).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define CODE_PAGES 18 /* number of encodings */

/*
 * Appends the bytes that the characters of the file had in encoding number `page`, below CODE_PAGES
 * (the first is Latin-1 with Windows-1252). Bytes that are not UTF-8, and characters that the
 * encoding does not have, are copied. False, and `out` must be dropped, if these are more than one
 * in fifty, or if there are hardly any others: then the file was not converted in this way.
 */
bool code_pages_decode(const unsigned char *data, size_t n, unsigned page, struct buf *out);

/*
 * Appends the file with one byte, '?', for every U+FFFD, which programs write for each part of a
 * file that is not UTF-8. The bytes are lost, but most objects are at their offsets again. False if
 * there are hardly any.
 */
bool code_pages_shorten(const unsigned char *data, size_t n, struct buf *out);

/* The byte of a character in Latin-1 or Windows-1252, or -1. */
int code_pages_byte(unsigned point);
