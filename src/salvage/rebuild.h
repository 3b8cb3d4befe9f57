/* rebuild: a document written anew from the objects that were found. */
#pragma once

#include "base/err.h"
#include "salvage/objects.h"
#include "salvage/pages.h"

/*
 * Makes what is missing around the pages (page tree, catalog, trailer; fonts and pictures that
 * pages name and nobody has), and appends all that counts to `out`, with a cross-reference table.
 */
int rebuild_frame(struct objects *objects, struct pages *pages, struct err *err);
/* The number of an object that looks like an encryption dictionary (7.6.1), 0: there is none. */
uint32_t rebuild_encryption(const struct objects *objects);
/* Gives it the length of key that goes with its version. False when out of memory. */
bool rebuild_mend_encryption(struct objects *objects);
int rebuild_write(const struct objects *objects, const struct pages *pages, struct buf *out,
                  struct err *err);
