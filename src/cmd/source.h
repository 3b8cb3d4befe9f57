/* source: opens the files and reads the secrets that `platen run` is given. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Opens a file for a worker; "-" is standard input. A file that does not support reading at any
 * offset (a pipe), or that the worker's user could not open again (one of root's that others may
 * not read), is copied to a file without a name. Returns its descriptor, which the caller closes,
 * and its bytes; -1 with ERR_INVALID_REQUEST that names the file.
 */
int source_open(const char *path, int64_t *bytes, struct err *err);

/* Reads a line from standard input, without its end, into `line`. On a terminal it prompts for
 * `name` first and does not echo the input. -1 if there is none. */
int source_secret(const char *name, char *line, size_t cap, struct err *err);
