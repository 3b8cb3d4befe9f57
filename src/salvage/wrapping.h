/*
 * wrapping: a document inside of what it was sent or stored in: base64 (RFC 4648), as an attachment
 * is in a mail or a data URL, or hexadecimal digits; quoted-printable (RFC 2045, 6.7); UTF-16; gzip
 * (RFC 1952).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* True: `out` holds the document, at most `max` bytes of it. False, and out untouched, if the file
 * is none of these. */
bool wrapping_undo(const unsigned char *data, size_t n, size_t max, struct buf *out);
