#include "image/tint.h"

#include <string.h>

#define LONG 64 /* pixels */

/* 0 to 256. */
static inline unsigned part_of(uint8_t covered)
{
    return covered + (covered >> 7);
}

void tint_gray(uint8_t *to, const uint8_t *covered, size_t n, uint8_t gray)
{
    for (size_t i = 0; i < n; i++) {
        unsigned part = part_of(covered[i]);

        to[i] = (uint8_t) ((gray * part + to[i] * (256 - part)) >> 8);
    }
}

/* Three channels in one number, with room for products between them. */
static inline uint64_t spread(const uint8_t *rgb)
{
    return rgb[0] | (uint64_t) rgb[1] << 16 | (uint64_t) rgb[2] << 32;
}

static inline void mix(uint8_t *to, uint64_t color, uint8_t covered)
{
    unsigned part = part_of(covered);
    uint64_t mixed = color * part + spread(to) * (256 - part);

    to[0] = (uint8_t) (mixed >> 8);
    to[1] = (uint8_t) (mixed >> 24);
    to[2] = (uint8_t) (mixed >> 40);
}

/* Eight after the other, which are often alike in what is long. Returns how many. */
static size_t mix_eights(uint8_t *to, uint64_t color, const uint8_t *covered, size_t n,
                         const uint8_t rgb[static 3])
{
    uint8_t eight[24];
    size_t i = 0;

    for (size_t k = 0; k < sizeof eight; k++)
        eight[k] = rgb[k % 3];
    for (; i + 8 <= n; i += 8) {
        uint64_t all;

        memcpy(&all, covered + i, sizeof all);
        if (all == UINT64_MAX)
            memcpy(to + 3 * i, eight, sizeof eight);
        else if (all != 0)
            for (size_t k = i; k < i + 8; k++)
                mix(to + 3 * k, color, covered[k]);
    }
    return i;
}

void tint_rgb(uint8_t *to, const uint8_t *covered, size_t n, const uint8_t rgb[static 3])
{
    const uint64_t color = spread(rgb);
    size_t i = n < LONG ? 0 : mix_eights(to, color, covered, n, rgb);

    for (; i < n; i++)
        mix(to + 3 * i, color, covered[i]);
}
