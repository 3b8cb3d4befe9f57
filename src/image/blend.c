#include "image/blend.h"

#include <string.h>

static inline int times(int a, int b)
{
    int x = a * b + 128;

    return (x + (x >> 8)) >> 8;
}

static inline int screen(int below, int above)
{
    return below + above - times(below, above);
}

static inline int hard_light(int below, int above)
{
    return above <= 127 ? times(below, 2 * above) : screen(below, 2 * above - 255);
}

static inline __attribute__((always_inline)) int mix(enum blend_mode mode, int below, int above)
{
    switch (mode) {
    case BLEND_MULTIPLY:
        return times(below, above);
    case BLEND_SCREEN:
        return screen(below, above);
    case BLEND_OVERLAY:
        return hard_light(above, below);
    case BLEND_DARKEN:
        return below < above ? below : above;
    case BLEND_LIGHTEN:
        return below > above ? below : above;
    case BLEND_HARD_LIGHT:
        return hard_light(below, above);
    case BLEND_DIFFERENCE:
        return below > above ? below - above : above - below;
    case BLEND_EXCLUSION:
        return below + above - 2 * times(below, above);
    case BLEND_NORMAL:
        break;
    }
    return above;
}

/* What a component multiplied by this alpha is to be multiplied by to have it back, times 256. */
static uint32_t undo[256];

static __attribute__((constructor)) void make_undo(void)
{
    for (uint32_t alpha = 1; alpha < 256; alpha++)
        undo[alpha] = 255 * 256 / alpha;
}

/* One pixel whose alpha is not 0. */
static inline __attribute__((always_inline)) void
blend_pixel(enum blend_mode mode, int colors, bool to_alpha, uint8_t *to, const uint8_t *from)
{
    int above = from[colors], below = to_alpha ? to[colors] : 255, both = times(above, below);
    int undo_above = (int) undo[above], undo_below = (int) undo[below];

    if (below == 0) {
        memcpy(to, from, (size_t) colors + 1);
        return;
    }
    for (int i = 0; i < colors; i++) {
        int mixed = mix(mode, (to[i] * undo_below) >> 8, (from[i] * undo_above) >> 8);

        to[i] = (uint8_t) (times(255 - above, to[i]) + times(255 - below, from[i]) +
                           times(both, mixed));
    }
    if (to_alpha)
        to[colors] = (uint8_t) (above + below - both);
}

static inline __attribute__((always_inline)) uint32_t pixel_of(const uint8_t *p, int bytes)
{
    uint32_t pixel = 0;

    memcpy(&pixel, p, (size_t) bytes);
    return pixel;
}

/* How many of n pixels are empty from the first one on. */
static inline __attribute__((always_inline)) size_t count_empty(const uint8_t *from, size_t n,
                                                                int colors)
{
    const size_t bytes = (size_t) colors + 1;
    size_t empty = 0;

    for (; empty + 16 / bytes <= n; empty += 16 / bytes) {
        uint64_t words[2];

        memcpy(words, from + empty * bytes, sizeof words);
        if (words[0] | words[1])
            break;
    }
    while (empty < n && from[empty * bytes + (size_t) colors] == 0)
        empty++;
    return empty;
}

/* Drawn groups are mostly empty or of one colour: what is the same as to the left is not computed
 * again. */
static inline __attribute__((always_inline)) void
blend(enum blend_mode mode, int colors, bool to_alpha, uint8_t *to, const uint8_t *from, size_t n)
{
    const int from_bytes = colors + 1, to_bytes = colors + to_alpha;
    uint32_t last_from = 0, last_to = 0, result = 0;

    for (size_t i = 0; i < n; i++) {
        const uint8_t *p = from + i * (size_t) from_bytes;
        uint8_t *q = to + i * (size_t) to_bytes;
        uint32_t above = pixel_of(p, from_bytes), below = pixel_of(q, to_bytes);

        if (p[colors] == 0) {
            i += count_empty(p, n - i, colors) - 1;
            continue;
        }
        if (above != last_from || below != last_to) {
            blend_pixel(mode, colors, to_alpha, q, p);
            last_from = above;
            last_to = below;
            result = pixel_of(q, to_bytes);
        } else {
            memcpy(q, &result, (size_t) to_bytes);
        }
    }
}

static inline __attribute__((always_inline)) void blend_colors(enum blend_mode mode, int colors,
                                                               bool to_alpha, uint8_t *to,
                                                               const uint8_t *from, size_t n)
{
    if (colors == 3 && to_alpha)
        blend(mode, 3, true, to, from, n);
    else if (colors == 3)
        blend(mode, 3, false, to, from, n);
    else if (to_alpha)
        blend(mode, 1, true, to, from, n);
    else
        blend(mode, 1, false, to, from, n);
}

void blend_row(enum blend_mode mode, int colors, bool to_alpha, uint8_t *to, const uint8_t *from,
               size_t n)
{
    switch (mode) { /* a constant in each */
#define CASE(name)                                                                                 \
    case name:                                                                                     \
        blend_colors(name, colors, to_alpha, to, from, n);                                         \
        break;
        CASE(BLEND_NORMAL)
        CASE(BLEND_MULTIPLY)
        CASE(BLEND_SCREEN)
        CASE(BLEND_OVERLAY)
        CASE(BLEND_DARKEN)
        CASE(BLEND_LIGHTEN)
        CASE(BLEND_HARD_LIGHT)
        CASE(BLEND_DIFFERENCE)
        CASE(BLEND_EXCLUSION)
#undef CASE
    }
}

void blend_fade(uint8_t *bytes, size_t n, uint8_t alpha)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t) times(bytes[i], alpha);
}
