/* ccitt_read: fax-coded images of one bit (ITU-T T.4 and T.6) as PDF has them (ISO 32000-2,
 * 7.4.6). Strict: whoever gets a bitmap got all of the image. */
#pragma once

#include "image/raster.h"

struct ccitt_read {
    int k; /* below 0: two-dimensional (T.6); 0: one-dimensional; above: mixed */
    bool byte_aligned;
};

/* `out` has its size set and no data yet; black pixels become 1. False if the data is damaged or
 * ends early, or memory ran out. */
bool ccitt_read(const uint8_t *data, size_t n, const struct ccitt_read *how, struct bitmap *out);
