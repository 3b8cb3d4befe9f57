/* webp_writer: a picture as a lossy WebP file (RFC 9649), by libwebp. */
#pragma once

#include "image_encode/pixmap.h"
#include "image_encode/sink.h"

#define WEBP_WRITER_SIDE 16383 /* pixels, at most */

/* Gray or RGB, without alpha. ERR_LIMIT_EXCEEDED when out of memory. */
int webp_writer_write(const struct pixmap *pixmap, float quality, struct sink sink,
                      struct err *err);
