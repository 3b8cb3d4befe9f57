/*
 * ccitt_gray: decodes a CCITT fax image (image/codec/ccitt_lines.h) to gray at reduced size: a gray
 * pixel is the mean of a square of the image. It sums up runs instead of single bits, which is
 * several times as fast.
 */
#pragma once

#include "image/codec/ccitt_lines.h"

#define CCITT_GRAY_HALVINGS 6 /* limit: the sides are reduced to 1/64 */

struct ccitt_gray {
    struct ccitt_read how;
    uint32_t width, height;  /* of the image */
    uint32_t x0, y0, x1, y1; /* the part of the image that is wanted */
    /* how often the sides are halved, up to CCITT_GRAY_HALVINGS; remainders at the right and the
     * bottom get pixels of their own */
    unsigned halvings;
    bool black_is_1; /* black becomes 255; else white does */
    bool inverted;   /* invert the result, which rounds the other way */
};

/* Writes rows of `stride` bytes. False if the data is damaged or ends early, or memory ran out. */
bool ccitt_gray(const uint8_t *data, size_t n, const struct ccitt_gray *how, uint8_t *out,
                size_t stride);
