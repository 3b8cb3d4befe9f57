/* base64: bytes as letters (RFC 4648, section 4), with padding; by nettle. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

void base64_put(const void *data, size_t n, struct buf *out);
/* The whole of text is base64 of at most `cap` bytes: these, and how many. False otherwise. */
bool base64_read(const char *text, size_t n, void *out, size_t cap, size_t *got);
