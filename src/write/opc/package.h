/*
 * package: a ZIP package of parts (ECMA-376, Part 2). Up to PACKAGE_STREAMS parts may be written
 * piece by piece while whole parts are added. Their pieces are deflated at once and kept in memory
 * until package_end adds them to the file.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct package;

#define PACKAGE_STREAMS 2 /* limit of the parts that are written piece by piece */

/* Writes to the existing file at `path`, whose content is replaced. */
struct package *package_open(const char *path, struct err *err);
void package_free(struct package *package);
/* Adds a whole part. `stored`: it is compressed already. */
int package_part(struct package *package, const char *name, const void *data, size_t n, bool stored,
                 struct err *err);
/* Adds the relationships part with the elements in `rels`. */
int package_rels(struct package *package, const char *name, const struct buf *rels,
                 struct err *err);
/* Appends to a part that is written piece by piece; the first call with its name, a string literal,
 * begins it. */
int package_stream(struct package *package, const char *name, const void *data, size_t n,
                   struct err *err);
/* Reads a package that was ended: verifies all parts, and passes the content of the part `name` to
 * `feed`, piece by piece. ERR_INTERNAL if a part is damaged. */
int package_read(const char *path, const char *name,
                 void (*feed)(void *to, const char *data, size_t n), void *to, struct err *err);
/* Adds the parts that were written piece by piece, and ends the package, which can then only be
 * freed. */
int package_end(struct package *package, struct err *err);
