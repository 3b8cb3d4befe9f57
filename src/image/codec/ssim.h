/* ssim: structural similarity of two images (Wang, Bovik, Sheikh, Simoncelli: "Image quality
 * assessment", 2004) of their luminance, in windows of 8 by 8 pixels, every 4 pixels. */
#pragma once

#include "image/codec/raster.h"

/* The luminance of an image of 1, 3 (RGB) or 4 (CMYK; `inverted` as in Adobe's JPEG files)
 * channels. False for others, or when out of memory. */
bool ssim_brightness(const struct raster *image, bool inverted, struct raster *out);
/* The mean similarity: 1 for equal images, towards 0 for unrelated ones. Both have one channel
 * and the same size; 1 if that is smaller than a window. */
double ssim_mean(const struct raster *a, const struct raster *b);
