/*
 * blob_copy: the blobs of one folder in another one: linked where the file system can, as a blob
 * never changes once it has its name, else copied. While a server goes on making and removing them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct blob_copied {
    int64_t linked, copied, bytes; /* files; bytes of those that were copied */
    int64_t dropped;
};

/*
 * Brings what FROM has to TO (a folder as blob_fs_open makes it; made if missing), adding to
 * *copied. A blob that TO has already is left as it is, one that vanishes meanwhile is left out.
 * With `drop` those that FROM has no more are removed from TO. What was copied is on the disk when
 * this returns.
 */
int blob_copy(const char *from, const char *to, bool drop, struct blob_copied *copied,
              struct err *err);
