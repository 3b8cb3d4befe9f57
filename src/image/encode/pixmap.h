/* pixmap: pixels in memory, 8 bits for each channel: the output of a renderer and the input of
 * encoders. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value is the number of channels. */
enum pixmap_kind {
    PIXMAP_GRAY = 1,
    PIXMAP_GRAY_ALPHA = 2,
    PIXMAP_RGB = 3,
    PIXMAP_RGBA = 4,
};

/* A whole page or a band of it. Samples are borrowed; row y begins at samples + y * stride. */
struct pixmap {
    uint32_t width, height;
    size_t stride; /* at least width * channels */
    enum pixmap_kind kind;
    bool premultiplied; /* only with alpha: no channel is above alpha */
    const uint8_t *samples;
};
