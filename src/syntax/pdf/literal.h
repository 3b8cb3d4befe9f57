/* literal: writes strings and names (ISO 32000-1, 7.3.4 and 7.3.5). */
#pragma once

#include <stddef.h>

#include "base/buf.h"

/* Appends a literal string, "(text)", as short as it can be. */
void literal_put(struct buf *out, const void *bytes, size_t n);
/* Appends a hexadecimal string, "<74657874>". */
void literal_put_hex(struct buf *out, const void *bytes, size_t n);
/* Appends a name, with what must be escaped as #xx; a "/" with which it begins is its sign. */
void literal_put_name(struct buf *out, const char *name);
