/*
 * package: a ZIP of parts (ECMA-376, Part 2). Some are written while others are: they are deflated
 * as they come, and take little memory until they are put into the file at the end.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct package;

#define PACKAGE_STREAMS 2

/* Into the file at path, which is there. */
struct package *package_open(const char *path, struct err *err);
void package_free(struct package *package);
/* A whole part. `stored`: it is compressed already. */
int package_part(struct package *package, const char *name, const void *data, size_t n, bool stored,
                 struct err *err);
/* A part of relationships, which are said in `rels`. */
int package_rels(struct package *package, const char *name, const struct buf *rels,
                 struct err *err);
/* More of a part that is written while others are: one of PACKAGE_STREAMS. */
int package_stream(struct package *package, const char *name, const void *data, size_t n,
                   struct err *err);
/* Reads a package that was ended: all parts, to see that they are whole, and what is in one. */
int package_read(const char *path, const char *name,
                 void (*feed)(void *to, const char *data, size_t n), void *to, struct err *err);
/* Ends those and the package. */
int package_end(struct package *package, struct err *err);
