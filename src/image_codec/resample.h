/* resample: smaller images: bicubic with its support stretched over what is left out, so that
 * nothing aliases and edges stay sharp; one-bit images by the share of each pixel that is set. */
#pragma once

#include "image_codec/raster.h"

/* `out` has its size and channels set and no data yet. False when out of memory. */
bool resample(const struct raster *in, struct raster *out);
/* The same for one bit; not larger than it was. */
bool resample_bitmap(const struct bitmap *in, struct bitmap *out);
