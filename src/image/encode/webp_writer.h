/* webp_writer: writes a picture as a lossy WebP file (RFC 9649), with libwebp. */
#pragma once

#include "image/encode/pixmap.h"
#include "image/encode/sink.h"

#define WEBP_WRITER_SIDE 16383 /* limit of a side in pixels */

/* Writes gray or RGB without alpha. quality: 0 to 100 on libwebp's scale. ERR_LIMIT_EXCEEDED when
 * out of memory. */
int webp_writer_write(const struct pixmap *pixmap, float quality, struct sink sink,
                      struct err *err);
