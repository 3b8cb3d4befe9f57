#include "image/tint.h"

#include <string.h>

#define MANY 8  /* pixels of one coverage that are mixed at once, */
#define LONG 32 /* of so many or more, among which there are likely some */

/* The channels of a pixel in one number, with room for products between them. */
static inline __attribute__((always_inline)) uint64_t spread(const uint8_t *pixel, unsigned n)
{
    uint64_t spread = 0;

    for (unsigned i = 0; i < n; i++)
        spread |= (uint64_t) pixel[i] << (16 * i);
    return spread;
}

static inline __attribute__((always_inline)) void mix(uint8_t *to, uint64_t color, unsigned part,
                                                      unsigned n)
{
    uint64_t mixed = color * part + spread(to, n) * (256 - part);

    for (unsigned i = 0; i < n; i++)
        to[i] = (uint8_t) (mixed >> (16 * i + 8));
}

/* MANY pixels, n channels in all; `colors` is as many times the colour. */
static inline __attribute__((always_inline)) void
mix_many(uint8_t *restrict to, const uint8_t *restrict colors, unsigned part, unsigned n)
{
    uint16_t of_color = (uint16_t) part, of_old = (uint16_t) (256 - part);

    if (part == 256)
        memcpy(to, colors, n);
    else if (part > 0)
        for (unsigned i = 0; i < n; i++)
            to[i] = (uint8_t) ((uint16_t) (colors[i] * of_color + to[i] * of_old) >> 8);
}

static inline __attribute__((always_inline)) void
paint(uint8_t *to, const uint8_t *covered, size_t n, const struct tint *tint, unsigned channels)
{
    const uint64_t color = spread(tint->color, channels);
    uint8_t colors[4 * MANY];
    size_t i = 0;

    for (unsigned k = 0; n >= LONG && k < MANY * channels; k++)
        colors[k] = tint->color[k % channels];
    for (; n >= LONG && i + MANY <= n; i += MANY) {
        uint64_t many;

        memcpy(&many, covered + i, sizeof many);
        if (many == covered[i] * 0x0101010101010101U)
            mix_many(to + channels * i, colors, tint_part(covered[i]) * tint->part >> 8,
                     MANY * channels);
        else
            for (size_t k = i; k < i + MANY; k++)
                mix(to + channels * k, color, tint_part(covered[k]) * tint->part >> 8, channels);
    }
    for (; i < n; i++)
        mix(to + channels * i, color, tint_part(covered[i]) * tint->part >> 8, channels);
}

void tint_pixels(uint8_t *to, const uint8_t *covered, size_t n, const struct tint *tint)
{
    switch (tint->channels) {
    case 1:
        paint(to, covered, n, tint, 1);
        break;
    case 2:
        paint(to, covered, n, tint, 2);
        break;
    case 3:
        paint(to, covered, n, tint, 3);
        break;
    default:
        paint(to, covered, n, tint, 4);
    }
}
