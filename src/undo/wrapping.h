/*
 * wrapping: a document inside of what it was sent or stored in: the head of an answer of HTTP or of
 * a part of a mail or form, base64 (RFC 4648), hexadecimal digits, uuencode, UTF-16, gzip, zlib,
 * ZIP. Each function appends the document to `out`, at most about `max` bytes of it; false, and
 * `out` to be thrown away, where the file is not wrapped in that way.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

bool wrapping_base64(const unsigned char *data, size_t n, size_t max, struct buf *out);
bool wrapping_hex(const unsigned char *data, size_t n, size_t max, struct buf *out);
bool wrapping_uuencode(const unsigned char *data, size_t n, size_t max, struct buf *out);
bool wrapping_utf16(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* gzip (RFC 1952) or zlib (RFC 1950), from the first byte or from behind an empty line on. */
bool wrapping_packed(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* The first file in a ZIP that begins as a document does. */
bool wrapping_zip(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* What stands before the document's header. */
bool wrapping_front(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* What stands behind the document's last line, if no object is in it. */
bool wrapping_back(const unsigned char *data, size_t n, size_t max, struct buf *out);
