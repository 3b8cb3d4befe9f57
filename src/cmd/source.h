/* source: the files and secrets that `platen run` is given. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Opens a file to be read by a worker; "-" is standard input. What cannot be read at any place (a
 * pipe) and what the worker's user could not open again (a file of root's that others may not read)
 * is copied into a file without a name. Returns its descriptor, the caller's to close, and its
 * bytes; -1 with ERR_INVALID_REQUEST that names the file.
 */
int source_open(const char *path, int64_t *bytes, struct err *err);

/* Reads a line from standard input, without its end, into `line`. On a terminal it asks for `name`
 * first and does not show what is typed. -1 if there is none. */
int source_secret(const char *name, char *line, size_t cap, struct err *err);
