/*
 * jbig2_write: encodes one-bit images as an embedded JBIG2 stream (ITU-T T.88; ISO 32000-2, 7.4.7),
 * without loss: one generic region, arithmetic coding with template 0 and typical prediction, which
 * codes a line that equals the one above as one bit.
 */
#pragma once

#include "base/buf.h"
#include "image/codec/raster.h"

/* Appends the stream; set pixels are black in JBIG2. False when out of memory. */
bool jbig2_write(const struct bitmap *bitmap, struct buf *out);
