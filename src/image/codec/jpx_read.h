/* jpx_read: decodes JPEG 2000 images (ISO/IEC 15444-1), files and bare code streams, with
 * OpenJPEG. */
#pragma once

#include "image/codec/raster.h"

/*
 * Decodes an image of 1 or 3 components (gray, RGB) of 8 bits, with its sides halved `halvings`
 * times. False for all others, such as those with an ICC profile or an alpha channel, for damaged
 * ones, and when memory ran out.
 */
bool jpx_read(const void *data, size_t n, unsigned halvings, struct raster *out);
