/* bitmaps: one-bit pictures for tests: something like text, noise, and nothing at all. */
#pragma once

#include <stdlib.h>

#include "image/codec/raster.h"

enum bitmap_motif { MOTIF_TEXT, MOTIF_NOISE, MOTIF_WHITE, MOTIF_BLACK, MOTIFS };

static inline bool motif_at(enum bitmap_motif motif, size_t x, size_t y, uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    switch (motif) {
    case MOTIF_TEXT:
        return y / 9 % 2 && (x * 7 / 5 + y / 3) % 11 < 4 && (x / 50 + y / 18) % 7;
    case MOTIF_NOISE:
        return *seed >> 31;
    case MOTIF_BLACK:
        return true;
    case MOTIF_WHITE:
    case MOTIFS:
        break;
    }
    return false;
}

static inline struct bitmap motif_new(enum bitmap_motif motif, size_t width, size_t height)
{
    struct bitmap bitmap;
    uint32_t seed = 1;

    if (!raster_bitmap_new(&bitmap, width, height))
        abort();
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            if (motif_at(motif, x, y, &seed))
                bitmap.data[y * bitmap.stride + x / 8] |= (uint8_t) (0x80 >> x % 8);
    return bitmap;
}
