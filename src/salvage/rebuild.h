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
/* Adds an object with this text under that number, or a new one if it is 0; returns it. 0 with err
 * filled. */
uint32_t rebuild_add(struct objects *objects, const struct buf *text, uint32_t number,
                     struct err *err);
/* A cross-reference table of `size` objects, 0 among them: the offset of each, 0 where there is
 * none. */
void rebuild_xref(struct buf *out, const size_t *offsets, size_t size);
int rebuild_write(const struct objects *objects, const struct pages *pages, struct buf *out,
                  struct err *err);
