/*
 * wrapping: extracts a document from its envelope: the headers of an HTTP response or of a part of
 * a mail or form, base64 (RFC 4648), hexadecimal digits, uuencode, UTF-16, gzip, zlib, ZIP. Each
 * function appends the document to `out`, at most about `max` bytes of it; false, and `out` must be
 * dropped, if the file does not have that envelope.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

bool wrapping_base64(const unsigned char *data, size_t n, size_t max, struct buf *out);
bool wrapping_hex(const unsigned char *data, size_t n, size_t max, struct buf *out);
bool wrapping_uuencode(const unsigned char *data, size_t n, size_t max, struct buf *out);
bool wrapping_utf16(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* Decodes gzip (RFC 1952) or zlib (RFC 1950), from the first byte or from after an empty line. */
bool wrapping_packed(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* Extracts the first file in a ZIP that begins like a document. */
bool wrapping_zip(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* Removes what precedes the document's header. */
bool wrapping_front(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* Removes what follows the document's last line, if it contains no object. */
bool wrapping_back(const unsigned char *data, size_t n, size_t max, struct buf *out);
