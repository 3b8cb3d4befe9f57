/*
 * flate: zlib streams (RFC 1950) in memory, encoded and decoded at once by libdeflate, whose
 * highest levels make them some per cent smaller than zlib does. For data of unknown size there is
 * syntax/inflate/inflate.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Levels of libdeflate, from 0 (not compressed) to 12. */
#define FLATE_BEST  12
#define FLATE_FINE  10 /* 0.4 to 1.2 per cent larger than the best, in half the time */
#define FLATE_GOOD  8  /* 5 per cent larger than FLATE_FINE, three times as fast */
#define FLATE_QUICK 6
#define FLATE_FAST  4 /* some per cent larger than FLATE_QUICK, in half the time */

/* The level for n bytes. */
static inline int flate_level(size_t n)
{
    return n > 500000 ? FLATE_GOOD : FLATE_FINE;
}

/* Appends the zlib stream of n bytes. False when out of memory. */
bool flate_pack(const void *data, size_t n, int level, struct buf *out);
/* Decodes a zlib stream of n bytes into `size` bytes. False if it is damaged, has another size, or
 * memory ran out. */
bool flate_unpack(const void *data, size_t n, void *out, size_t size);
