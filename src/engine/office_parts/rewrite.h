/* rewrite: changes parts of a document that is a ZIP file, before LibreOffice reads it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct rewrite {
    size_t part_bytes; /* a larger part is left as it is */
    bool (*wants)(void *arg, const char *name);
    /* Returns whether it changed the part. */
    bool (*change)(void *arg, const char *name, struct buf *part);
    void *arg;
};

/*
 * Writes the document at `from` to `to` with the changed parts; the others are copied as they are
 * packed. Each part is passed to `change` once, in order. Returns 1; 0 if no part was changed, and
 * nothing is written; -1 with ERR_CORRUPT_FILE.
 */
int rewrite_parts(const char *from, const char *to, const struct rewrite *what, struct err *err);
