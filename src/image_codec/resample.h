/* resample: reduces images: bicubic with its support scaled to the reduction, so that there is
 * no aliasing and edges stay sharp; of one-bit images a pixel is set by the share of set pixels
 * it covers. */
#pragma once

#include "image_codec/raster.h"

/* Makes a smaller or larger image, or a copy. `out` has its size set and no data yet. False when
 * out of memory. */
bool resample(const struct raster *in, struct raster *out);
/* The same for one-bit images; the result must not be larger than the input. */
bool resample_bitmap(const struct bitmap *in, struct bitmap *out);
