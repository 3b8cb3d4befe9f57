/* rebuild: writes a new document of the objects that were found. */
#pragma once

#include "base/err.h"
#include "recovery/objects/objects.h"
#include "recovery/objects/pages.h"

/* Adds a page tree that lists the pages, unless theirs is intact, and a catalog if the document's
 * was lost. */
int rebuild_frame(struct objects *objects, struct pages *pages, struct err *err);
/* The number of an object that looks like an encryption dictionary (7.6.1), 0: there is none. */
uint32_t rebuild_encryption(const struct objects *objects);
/* Corrects the key length (/Length) in the encryption dictionary to that of its version. False when
 * out of memory. */
bool rebuild_mend_encryption(struct objects *objects);
/* Adds an object with this text and number, or a new number if that is 0, and returns the
 * number. 0 with err filled. */
uint32_t rebuild_add(struct objects *objects, const struct buf *text, uint32_t number,
                     struct err *err);
/* Writes a cross-reference table of `size` objects, including number 0: the offset of each, 0 if
 * there is none. */
void rebuild_xref(struct buf *out, const size_t *offsets, size_t size);
/* Appends a whole document to `out`: all objects that are used, a cross-reference table and a
 * trailer with the catalog of `pages`. ERR_LIMIT_EXCEEDED when out of memory. */
int rebuild_write(const struct objects *objects, const struct pages *pages, struct buf *out,
                  struct err *err);
