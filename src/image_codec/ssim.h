/* ssim: how alike two images look, by structural similarity (Wang, Bovik, Sheikh, Simoncelli:
 * "Image quality assessment", 2004) of their brightness in windows of 8 by 8, every 4 pixels. */
#pragma once

#include "image_codec/raster.h"

/* The brightness of an image of 1, 3 (RGB) or 4 (CMYK; `inverted` as Adobe's JPEG files have it)
 * channels. False for others, or when out of memory. */
bool ssim_brightness(const struct raster *image, bool inverted, struct raster *out);
/* 1 for the same, towards 0 for what has nothing in common. Both of one channel and the same size;
 * 1 if that is below a window's. */
double ssim(const struct raster *a, const struct raster *b);
