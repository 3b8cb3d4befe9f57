/* rename: names of one document that had to change because another has them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/key_map.h"

struct renames {
    struct key_map map; /* the old name to an index in names */
    struct buf *names;
    size_t n, cap;
};

/* Notes that `from` is now `to`, which may be the same. */
void renames_put(struct renames *renames, const void *from, size_t n, const struct buf *to);
/* What `from` is now. NULL if nobody said. */
const struct buf *renames_find(const struct renames *renames, const void *from, size_t n);
/* Whether an allocation failed. */
bool renames_failed(const struct renames *renames);
void renames_free(struct renames *renames);

/*
 * Appends to `out` the name, or with a number behind it ("_2") the first form of it that is in
 * neither map (`also` may be NULL). The first number tried is `number`. A name that begins as
 * UTF-16 text gets its number in UTF-16.
 */
void rename_unique(const struct key_map *taken, const struct key_map *also, const void *name,
                   size_t n, size_t number, struct buf *out);
