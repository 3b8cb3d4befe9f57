/* png_rows: applies PNG filters to rows of samples (PNG, clause 9; PDF predictor 15), for each
 * row the filter with the smallest differences. */
#pragma once

#include "base/buf.h"
#include "image/codec/raster.h"

/* Appends each of the `height` rows, which have `row` bytes, after the byte with the number of its
 * filter. `pixel`: bytes of a whole pixel, at least 1. False when out of memory. */
bool png_rows(const uint8_t *data, size_t row, size_t height, size_t pixel, struct buf *out);
