/* base64: encodes and decodes base64 with padding (RFC 4648, section 4), by nettle. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the base64 of n bytes. */
void base64_put(const void *data, size_t n, struct buf *out);
/* Decodes `text`. True if the whole of it is base64 of at most `cap` bytes; *got is then their
 * number. */
bool base64_read(const char *text, size_t n, void *out, size_t cap, size_t *got);
