#include "image_codec/raster.h"

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

bool bitmap_new(struct bitmap *bitmap, size_t width, size_t height)
{
    *bitmap = (struct bitmap){ width, height, (width + 7) / 8, NULL };
    if (width == 0 || height == 0 || width > RASTER_MAX_SIDE || height > RASTER_MAX_SIDE)
        return false;
    bitmap->data = calloc(height, bitmap->stride);
    return bitmap->data != NULL;
}

void bitmap_free(struct bitmap *bitmap)
{
    free(bitmap->data);
    *bitmap = (struct bitmap){ 0 };
}
