/* picture: pixmaps for the tests, the same in every run. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "image/encode/pixmap.h"

static inline uint32_t picture_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

/* What the samples are like. */
enum picture {
    PICTURE_NOISE,
    PICTURE_SMOOTH, /* a shading with a little noise */
    PICTURE_FLAT,   /* rectangles of few colours, as text and lines are */
    PICTURE_MIXED,  /* flat above, smooth below */
    PICTURES,
};

static inline uint8_t picture_sample(enum picture picture, uint32_t x, uint32_t y, uint32_t channel,
                                     uint32_t height, uint32_t *seed)
{
    if (picture == PICTURE_MIXED)
        picture = y < height / 2 ? PICTURE_FLAT : PICTURE_SMOOTH;
    if (picture == PICTURE_NOISE)
        return (uint8_t) picture_random(seed);
    if (picture == PICTURE_SMOOTH)
        return (uint8_t) ((x * (channel + 1) + y * 2) / 3 + picture_random(seed) % 3);
    return (uint8_t) ((x / 7 * 31 + y / 5 * 57) % 4 * 60 + channel * 11 + x % 7 / 6);
}

/* The caller frees the samples (they are not const then). Premultiplied samples are made so. */
static inline struct pixmap picture_new(enum picture picture, enum pixmap_kind kind, uint32_t width,
                                        uint32_t height, bool premultiplied)
{
    size_t stride = (size_t) width * kind + 3;
    uint8_t *samples = malloc(stride * height);
    uint32_t seed = width * 31 + height * 7 + kind;

    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *p = samples + y * stride + (size_t) x * kind;

            for (uint32_t i = 0; i < kind; i++)
                p[i] = picture_sample(picture, x, y, i, height, &seed);
            for (uint32_t i = 0; premultiplied && i + 1 < kind; i++)
                p[i] = (uint8_t) (p[i] * p[kind - 1] / 255);
        }
    }
    return (struct pixmap){ width, height, stride, kind, premultiplied, samples };
}
