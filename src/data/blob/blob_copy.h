/*
 * blob_copy: copies the blobs of one folder to another: by links if the file system can, because a
 * blob never changes once it has its name. A server may make and remove blobs meanwhile.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct blob_copied {
    int64_t linked, copied, bytes; /* files; bytes of those that were copied */
    int64_t dropped;               /* files that were removed from TO */
};

/*
 * Copies what is in FROM to TO (a folder as of blob_fs_open; made if missing), adding to *copied. A
 * blob that exists in TO is not changed, one that vanishes meanwhile is skipped. `drop`: blobs that
 * are not in FROM are removed from TO. The copies are on disk when this returns.
 */
int blob_copy(const char *from, const char *to, bool drop, struct blob_copied *copied,
              struct err *err);
