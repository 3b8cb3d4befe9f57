/* png_rows: rows of samples as differences to their neighbours (PNG, clause 9; PDF predictor 15),
 * each with the filter whose differences are the smallest. */
#pragma once

#include "base/buf.h"
#include "image_codec/raster.h"

/* Appends each row with its filter byte. `pixel`: bytes of a whole pixel, at least 1. False when
 * out of memory. */
bool png_rows(const uint8_t *data, size_t row, size_t height, size_t pixel, struct buf *out);
