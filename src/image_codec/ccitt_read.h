/* ccitt_read: fax-coded images (image_codec/ccitt_lines.h) as bitmaps. Strict: whoever gets a
 * bitmap got all of the image. */
#pragma once

#include "image_codec/ccitt_lines.h"
#include "image_codec/raster.h"

/* `out` has its size set and no data yet; black pixels become 1. False if the data is damaged or
 * ends early, or memory ran out. */
bool ccitt_read(const uint8_t *data, size_t n, const struct ccitt_read *how, struct bitmap *out);
