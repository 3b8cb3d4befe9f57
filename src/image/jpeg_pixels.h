/*
 * jpeg_pixels: squares of pixels as the samples of a JPEG's blocks: brightness, and how much more
 * blue and red there is than that (JFIF 1.02; ITU-T T.871). Samples are not rounded.
 *
 * Pixels are told by pointers to the first bytes of 8 or 16 rows; `pixel`: bytes each, of which the
 * first three are red, green and blue, or the only one is gray.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "image/jpeg_tables.h"

struct jpeg_pixels {
    _Alignas(16) float luma[4][JPEG_BLOCK];   /* 0 to 255; of 16 pixels a side: by rows */
    _Alignas(16) float chroma[2][JPEG_BLOCK]; /* blue and red, -128 to 128 */
};

/* Whether all are of one colour. `side`: 8 or 16. */
bool jpeg_pixels_even(const uint8_t *const *rows, unsigned side, unsigned pixel);
/* 8 pixels a side. Of 3 or 4 bytes a pixel: false if none is anything but gray, and then there is
 * no chroma. */
void jpeg_pixels_gray(const uint8_t *const *rows, struct jpeg_pixels *out);
bool jpeg_pixels_full(const uint8_t *const *rows, unsigned pixel, struct jpeg_pixels *out);
/* 16 pixels a side, with one sample of colour for four of them. */
bool jpeg_pixels_half(const uint8_t *const *rows, unsigned pixel, struct jpeg_pixels *out);
/* Of one pixel; luma, blue, red. */
void jpeg_pixels_one(const uint8_t *pixel, unsigned bytes, float out[3]);
