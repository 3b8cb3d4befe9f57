/* references: the references in the text of an object. */
#pragma once

#include "recovery/objects/objects.h"

/* Appends the text with "null" for every reference to a missing object: both mean the same (ISO
 * 32000-1, 7.3.10), but not all readers handle the reference in an object stream. */
void references_write(struct buf *out, const struct objects *objects, struct text text);

/* The number of references to missing objects in the text. */
size_t references_dangling(const struct objects *objects, struct text text);

/* Sets used[number] for every number below n that is referred to, and for some that only look so
 * in a string. */
void references_mark(struct text text, unsigned char *used, size_t n);
