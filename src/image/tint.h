/*
 * tint: a colour where something is covered, mixed with what was there. Rounds as MuPDF does, to
 * the same bytes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* covered[i], of n pixels: 0 none of the colour, 255 nothing else. One channel, or three. */
void tint_gray(uint8_t *to, const uint8_t *covered, size_t n, uint8_t gray);
void tint_rgb(uint8_t *to, const uint8_t *covered, size_t n, const uint8_t rgb[static 3]);
