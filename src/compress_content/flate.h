/*
 * flate: zlib streams (RFC 1950) in memory: decoded leniently, as damaged files are common, and
 * encoded by libdeflate, whose highest levels are some per cent smaller than zlib's.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define FLATE_BEST 12
#define FLATE_FINE 10 /* 0.4 to 1.2 per cent larger than the best, in half the time */
#define FLATE_GOOD 8  /* 5 per cent larger than FLATE_FINE, three times as fast */

/* Appends the decoded bytes of n bytes; at most `max` bytes more. False if they are not a whole
 * zlib stream, decode to more than max, or memory ran out. */
bool compress_content_flate_unpack(const void *data, size_t n, size_t max, struct buf *out);
/* The level for n bytes: the best one if there are so few that it takes no time. */
static inline int compress_content_flate_level(size_t n)
{
    return n > 500000 ? FLATE_GOOD : n > 3000 ? FLATE_FINE : FLATE_BEST;
}

/* Appends the zlib stream of n bytes. False when out of memory. */
bool compress_content_flate_pack(const void *data, size_t n, int level, struct buf *out);
