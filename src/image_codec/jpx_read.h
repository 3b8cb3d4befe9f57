/* jpx_read: JPEG 2000 images (ISO/IEC 15444-1), files and bare code streams, by OpenJPEG. */
#pragma once

#include "image_codec/raster.h"

/*
 * Reads an image of 1 or 3 channels (gray, RGB) of 8 bits, `halvings` times half as large. False
 * for any other, such as one with a profile of its own or an alpha channel, for damaged ones, and
 * when memory ran out.
 */
bool jpx_read(const void *data, size_t n, unsigned halvings, struct raster *out);
