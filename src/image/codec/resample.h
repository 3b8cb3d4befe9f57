/* resample: reduces images: bicubic with its support scaled to the reduction, so that there is
 * no aliasing and edges stay sharp; of one-bit images a pixel is set by the share of set pixels
 * it covers. */
#pragma once

#include "image/codec/raster.h"

/* Makes an image of the size that is set in `out`, which has no data yet and gets the channels of
 * `in`. False when out of memory. */
bool resample_raster(const struct raster *in, struct raster *out);
/* The same for one-bit images; neither side of the result may be longer than the input's. */
bool resample_bitmap(const struct bitmap *in, struct bitmap *out);
