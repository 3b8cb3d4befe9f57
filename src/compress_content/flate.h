/*
 * flate: zlib streams (RFC 1950) in memory, encoded by libdeflate, whose highest levels are some
 * per cent smaller than those of zlib.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define FLATE_BEST 12
#define FLATE_FINE 10 /* 0.4 to 1.2 per cent larger than the best, in half the time */
#define FLATE_GOOD 8  /* 5 per cent larger than FLATE_FINE, three times as fast */

/* The level for n bytes: the best one if there are so few that it takes no time. */
static inline int compress_content_flate_level(size_t n)
{
    return n > 500000 ? FLATE_GOOD : n > 3000 ? FLATE_FINE : FLATE_BEST;
}

/* Appends the zlib stream of n bytes. False when out of memory. */
bool compress_content_flate_pack(const void *data, size_t n, int level, struct buf *out);
