/*
 * tiff_join: makes one TIFF file of the files of its pages, which tiff_writer wrote. Their strips
 * are copied as they are.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

struct tiff_join;

/* Begins the file at `path`, which exists, for `n_pages` pages. */
struct tiff_join *tiff_join_new(const char *path, size_t n_pages, struct err *err);
/* Adds the page in the file at `path`. ERR_LIMIT_EXCEEDED if the result would be larger than a
 * TIFF file can be (4 GB). */
int tiff_join_add(struct tiff_join *join, const char *path, struct err *err);
/* Writes what is left and closes the file. */
int tiff_join_end(struct tiff_join *join, struct err *err);
void tiff_join_free(struct tiff_join *join);

static inline void tiff_join_scope(struct tiff_join **join)
{
    tiff_join_free(*join);
}
#define AUTO_TIFF_JOIN __attribute__((cleanup(tiff_join_scope)))
