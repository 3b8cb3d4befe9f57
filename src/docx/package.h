/*
 * package: a ZIP of parts (ECMA-376, Part 2). The main part is written while others are: it is
 * deflated as it comes, and takes little memory until it is put into the file at the end.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct package;

/* Into the file at path, which is there. */
struct package *package_open(const char *path, struct err *err);
void package_free(struct package *package);
/* A whole part. `stored`: it is compressed already. */
int package_part(struct package *package, const char *name, const void *data, size_t n, bool stored,
                 struct err *err);
/* More of the main part. */
int package_main(struct package *package, const void *data, size_t n, struct err *err);
/* Reads a package that was ended: all parts, to see that they are whole, and what is in one. */
int package_read(const char *path, const char *name,
                 void (*feed)(void *to, const char *data, size_t n), void *to, struct err *err);
/* Ends the main part and the package. */
int package_end(struct package *package, const char *main_name, struct err *err);
