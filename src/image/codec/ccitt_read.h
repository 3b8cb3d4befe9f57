/* ccitt_read: decodes CCITT fax images (image/codec/ccitt_lines.h) to bitmaps. Strict: the
 * result is the whole image or none. */
#pragma once

#include "image/codec/ccitt_lines.h"
#include "image/codec/raster.h"

/* Decodes a whole image. `out` has its size set and no data yet; black pixels become 1. False if
 * the data is damaged or ends early, or memory ran out. */
bool ccitt_read(const uint8_t *data, size_t n, const struct ccitt_read *how, struct bitmap *out);
