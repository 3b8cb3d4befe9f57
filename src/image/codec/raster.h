/* raster: images in memory: `raster` has 1 to 32 channels of 8 bits, row by row without gaps;
 * `bitmap` has one bit for each pixel. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RASTER_MAX_SIDE 65500       /* limit of width and height in pixels */
#define RASTER_MAX      (1UL << 30) /* limit of one raster in bytes */

struct raster {
    size_t width, height;
    size_t channels;
    uint8_t *data;
};

struct bitmap {
    size_t width, height;
    size_t stride; /* bytes of a row; the highest bit of the first byte is leftmost */
    uint8_t *data;
};

/* Allocates an image, whose pixels are not set. False when out of memory or beyond the limits
 * above. */
bool raster_new(struct raster *raster, size_t width, size_t height, size_t channels);
void raster_free(struct raster *raster);
#define AUTO_RASTER __attribute__((cleanup(raster_free)))
/* Whether all pixels of an RGB image are gray: their channels differ by at most `tolerance`, of
 * 255. */
bool raster_is_gray(const struct raster *raster, int tolerance);
/* Makes an RGB image gray: one channel, of the luminance. */
void raster_to_gray(struct raster *raster);

/* The same for a bitmap, whose pixels are set to 0. */
bool raster_bitmap_new(struct bitmap *bitmap, size_t width, size_t height);
void raster_bitmap_free(struct bitmap *bitmap);
#define AUTO_BITMAP __attribute__((cleanup(raster_bitmap_free)))

static inline bool bitmap_at(const struct bitmap *bitmap, size_t x, size_t y)
{
    return bitmap->data[y * bitmap->stride + x / 8] >> (7 - x % 8) & 1;
}
