/*
 * ccitt_gray: a fax-coded image (image_codec/ccitt_lines.h) as gray, reduced on its way: a gray
 * pixel is the mean of a square of the image. No bit of the image is ever looked at by itself,
 * which is several times as fast.
 */
#pragma once

#include "image_codec/ccitt_lines.h"

#define CCITT_GRAY_HALVINGS 6

struct ccitt_gray {
    struct ccitt_read how;
    uint32_t width, height;  /* of the image */
    uint32_t x0, y0, x1, y1; /* what is wanted of it */
    unsigned halvings; /* of the sides, to CCITT_GRAY_HALVINGS; what is left over at the right and
                        * the bottom gets pixels of its own */
    bool black_is_1;   /* 255 is for black; else for white */
    bool inverted;     /* afterwards, which rounds the other way */
};

/* Rows of `stride` bytes. False if the data is damaged or ends early, or memory ran out. */
bool ccitt_gray(const uint8_t *data, size_t n, const struct ccitt_gray *how, uint8_t *out,
                size_t stride);
