/*
 * package: a ZIP package of parts (ECMA-376, Part 2). Some parts are written piece by piece while
 * others are: they are deflated at once, and need little memory until they are added to the file at
 * the end.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct package;

#define PACKAGE_STREAMS 2

/* Writes to the existing file at path. */
struct package *package_open(const char *path, struct err *err);
void package_free(struct package *package);
/* Adds a whole part. `stored`: it is compressed already. */
int package_part(struct package *package, const char *name, const void *data, size_t n, bool stored,
                 struct err *err);
/* Adds the relationships part with the elements in `rels`. */
int package_rels(struct package *package, const char *name, const struct buf *rels,
                 struct err *err);
/* Appends to a part that is written piece by piece: one of PACKAGE_STREAMS. */
int package_stream(struct package *package, const char *name, const void *data, size_t n,
                   struct err *err);
/* Reads a package that was ended: verifies all parts, and returns the content of one. */
int package_read(const char *path, const char *name,
                 void (*feed)(void *to, const char *data, size_t n), void *to, struct err *err);
/* Ends these parts and the package. */
int package_end(struct package *package, struct err *err);
