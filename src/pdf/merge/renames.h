/* renames: names of one document that were changed because another document uses them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/object/key_map.h"

struct renames {
    struct key_map map; /* maps the old name to an index in `names` */
    struct buf *names;
    size_t n, cap;
};

/* Records that `from` is now `to`, which may be equal. */
void renames_put(struct renames *renames, const void *from, size_t n, const struct buf *to);
/* The new name of `from`; NULL if none was recorded. */
const struct buf *renames_find(const struct renames *renames, const void *from, size_t n);
/* Whether an allocation failed. */
bool renames_failed(const struct renames *renames);
void renames_free(struct renames *renames);

/*
 * Appends to `out` the name, or its first form with a number appended ("_2") that is in neither map
 * (`also` may be NULL). The first number tried is `number`. A name that begins as UTF-16 text gets
 * its number in UTF-16.
 */
void renames_unique(const struct key_map *taken, const struct key_map *also, const void *name,
                    size_t n, size_t number, struct buf *out);
