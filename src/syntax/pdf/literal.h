/* literal: writes string objects (ISO 32000-1, 7.3.4). */
#pragma once

#include <stddef.h>

#include "base/buf.h"

/* Appends a literal string, "(text)", as short as it can be. */
void literal_put(struct buf *out, const void *bytes, size_t n);
/* Appends a hexadecimal string, "<74657874>". */
void literal_put_hex(struct buf *out, const void *bytes, size_t n);
