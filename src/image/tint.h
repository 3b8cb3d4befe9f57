/*
 * tint: a colour where something is covered, mixed with what was there. Rounds as MuPDF does, to
 * the same bytes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct tint {
    uint8_t color[4]; /* of an opacity that is among the channels: 255 */
    unsigned channels;
    unsigned part; /* of the colour where all is covered, to 256 */
};

/* What is the whole of 256, of an opacity to 255. */
static inline unsigned tint_part(uint8_t opacity)
{
    return opacity + (opacity >> 7);
}

/* covered[i], of n pixels: 0 to 255. */
void tint_pixels(uint8_t *to, const uint8_t *covered, size_t n, const struct tint *tint);
