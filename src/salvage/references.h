/* references: what an object says of others that are not there. */
#pragma once

#include "salvage/objects.h"

/* Appends the text with "null" for every reference to what is not written: they mean the same (ISO
 * 32000-1, 7.3.10), but not all readers take the first for it where it lies in an object stream. */
void references_write(struct buf *out, const struct objects *objects, struct text text);
