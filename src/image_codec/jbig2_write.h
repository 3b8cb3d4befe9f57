/*
 * jbig2_write: one-bit images as an embedded JBIG2 stream (ITU-T T.88; ISO 32000-2, 7.4.7): one
 * generic region, arithmetic coding with template 0, lines like the one above told by one
 * decision. Nothing is lost.
 */
#pragma once

#include "base/buf.h"
#include "image_codec/raster.h"

/* Appends the stream; set pixels are black to JBIG2. False when out of memory. */
bool jbig2_write(const struct bitmap *bitmap, struct buf *out);
