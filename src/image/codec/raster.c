#include "image/codec/raster.h"

#include <stdlib.h>

#include "base/num.h"

bool raster_new(struct raster *raster, size_t width, size_t height, size_t channels)
{
    size_t size;

    *raster = (struct raster){ width, height, channels, NULL };
    if (width == 0 || height == 0 || width > RASTER_MAX_SIDE || height > RASTER_MAX_SIDE ||
        channels == 0 || channels > 32 || !num_mul(width * channels, height, &size) ||
        size > RASTER_MAX)
        return false;
    raster->data = malloc(size);
    return raster->data != NULL;
}

void raster_free(struct raster *raster)
{
    free(raster->data);
    *raster = (struct raster){ 0 };
}

bool raster_is_gray(const struct raster *raster, int tolerance)
{
    size_t n = raster->width * raster->height;
    const uint8_t *p = raster->data;

    for (size_t i = 0; i < n; i++, p += 3)
        if (abs(p[0] - p[1]) > tolerance || abs(p[1] - p[2]) > tolerance ||
            abs(p[0] - p[2]) > tolerance)
            return false;
    return true;
}

void raster_to_gray(struct raster *raster)
{
    size_t n = raster->width * raster->height;
    const uint8_t *p = raster->data;

    for (size_t i = 0; i < n; i++, p += 3)
        raster->data[i] = (uint8_t) ((p[0] * 77 + p[1] * 150 + p[2] * 29 + 128) >> 8);
    raster->channels = 1;
}

bool raster_bitmap_new(struct bitmap *bitmap, size_t width, size_t height)
{
    *bitmap = (struct bitmap){ width, height, (width + 7) / 8, NULL };
    if (width == 0 || height == 0 || width > RASTER_MAX_SIDE || height > RASTER_MAX_SIDE)
        return false;
    bitmap->data = calloc(height, bitmap->stride);
    return bitmap->data != NULL;
}

void raster_bitmap_free(struct bitmap *bitmap)
{
    free(bitmap->data);
    *bitmap = (struct bitmap){ 0 };
}
