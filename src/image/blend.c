#include "image/blend.h"

#include <endian.h>
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

static inline __attribute__((always_inline)) uint32_t pixel_of(const uint8_t *p, size_t bytes)
{
    uint32_t pixel = 0;

    memcpy(&pixel, p, bytes);
    return pixel;
}

/* One pixel whose alpha is not 0, as a number: bytes that are written one by one and read as one
 * would have to arrive in memory first. */
static inline __attribute__((always_inline)) uint32_t
blend_pixel(enum blend_mode mode, int colors, bool to_alpha, const uint8_t *to, const uint8_t *from)
{
    int above = from[colors], below = to_alpha ? to[colors] : 255, both = times(above, below);
    int undo_above = (int) undo[above], undo_below = (int) undo[below];
    uint32_t result = 0;

    if (below == 0)
        return pixel_of(from, (size_t) colors + 1);
    for (int i = 0; i < colors; i++) {
        int mixed = mix(mode, (to[i] * undo_below) >> 8, (from[i] * undo_above) >> 8);

        result |= (uint32_t) (uint8_t) (times(255 - above, to[i]) + times(255 - below, from[i]) +
                                        times(both, mixed))
                  << 8 * i;
    }
    if (to_alpha)
        result |= (uint32_t) (uint8_t) (above + below - both) << 8 * colors;
    return htole32(result);
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

#define VECTOR ((size_t) 16)
#define ENOUGH 4 /* the same after each other: likely there are more */

typedef uint64_t vector __attribute__((vector_size(16)));
typedef uint32_t words __attribute__((vector_size(16)));

/* Pixels that are blended the same: as many as fill whole vectors with and without alpha, or one
 * with it. */
struct run {
    vector from[4], to[4], result[4];
};

static inline __attribute__((always_inline)) size_t run_pixels(size_t from_bytes, size_t to_bytes)
{
    return from_bytes == to_bytes ? VECTOR / from_bytes : VECTOR;
}

static inline __attribute__((always_inline)) void repeat(vector *all, uint32_t pixel, size_t bytes,
                                                         size_t n)
{
    uint8_t room[4 * VECTOR];
    words four = { pixel, pixel, pixel, pixel };

    if (bytes == 2)
        four |= four << 16;
    if (bytes == 1 || bytes == 3) {
        for (size_t i = 0; i < n; i++)
            memcpy(room + i * bytes, &pixel, bytes);
        memcpy(all, room, n * bytes);
        return;
    }
    for (size_t k = 0; k < n * bytes / VECTOR; k++)
        memcpy(all + k, &four, sizeof four);
}

static inline __attribute__((always_inline)) vector differ(const uint8_t *p, const vector *all,
                                                           size_t bytes)
{
    vector differs = { 0 }, some;

    for (size_t k = 0; k < bytes / VECTOR; k++) {
        memcpy(&some, p + VECTOR * k, sizeof some);
        differs |= some ^ all[k];
    }
    return differs;
}

/* Blends those of n pixels, from the first one on, that are as the run. How many. */
static inline __attribute__((always_inline)) size_t go_on(const struct run *run, uint8_t *to,
                                                          const uint8_t *from, size_t n,
                                                          size_t to_bytes, size_t from_bytes)
{
    const size_t pixels = run_pixels(from_bytes, to_bytes);
    size_t done = 0;

    for (; done + pixels <= n; done += pixels) {
        vector differs =
            differ(from, run->from, pixels * from_bytes) | differ(to, run->to, pixels * to_bytes);

        if (differs[0] | differs[1])
            break;
        memcpy(to, run->result, pixels * to_bytes);
        to += pixels * to_bytes;
        from += pixels * from_bytes;
    }
    return done;
}

/* Drawn groups are mostly empty or of one colour: what is the same as to the left is not computed
 * again. */
static inline __attribute__((always_inline)) void
blend(enum blend_mode mode, int colors, bool to_alpha, uint8_t *to, const uint8_t *from, size_t n)
{
    const size_t from_bytes = (size_t) colors + 1, to_bytes = (size_t) colors + to_alpha;
    uint32_t last_from = 0, last_to = 0, result = 0;
    size_t same = 0;
    struct run run = { 0 };

    for (size_t i = 0; i < n; i++) {
        const uint8_t *p = from + i * from_bytes;
        uint8_t *q = to + i * to_bytes;
        uint32_t above = pixel_of(p, from_bytes), below = pixel_of(q, to_bytes);

        if (p[colors] == 0) {
            i += count_empty(p, n - i, colors) - 1;
            continue;
        }
        same++;
        if (above != last_from || below != last_to) {
            result = blend_pixel(mode, colors, to_alpha, q, p);
            last_from = above;
            last_to = below;
            same = 0;
        }
        memcpy(q, &result, to_bytes);
        if (same == 0 || same % ENOUGH)
            continue;
        if (same == ENOUGH) {
            repeat(run.from, last_from, from_bytes, run_pixels(from_bytes, to_bytes));
            repeat(run.to, last_to, to_bytes, run_pixels(from_bytes, to_bytes));
            repeat(run.result, result, to_bytes, run_pixels(from_bytes, to_bytes));
        }
        i += go_on(&run, q + to_bytes, p + from_bytes, n - i - 1, to_bytes, from_bytes);
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
