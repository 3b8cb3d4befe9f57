/* rebuild: a document written anew from the objects that were found. */
#pragma once

#include "base/err.h"
#include "salvage/objects.h"
#include "salvage/pages.h"

/*
 * Makes what is missing around the pages (page tree, catalog, trailer; fonts and pictures that
 * pages name and nobody has), and writes all that counts to `fd`, with a cross-reference table.
 */
int rebuild_frame(struct objects *objects, struct pages *pages, struct err *err);
/* The number of an object that looks like an encryption dictionary (7.6.1), 0: there is none. */
uint32_t rebuild_encryption(const struct objects *objects);
int rebuild_write(struct objects *objects, const struct pages *pages, int fd, struct err *err);
