/* pixel: operations on single pixels, for the files that implement pixel_class.h. */
#pragma once

#include "image/encode/pixel_class.h"

static inline const uint8_t *pixel_row_of(const struct pixmap *pixmap, uint32_t y)
{
    return pixmap->samples + y * pixmap->stride;
}

static inline bool pixel_has_alpha(const struct pixmap *pixmap)
{
    return pixmap->kind == PIXMAP_GRAY_ALPHA || pixmap->kind == PIXMAP_RGBA;
}

/* A pixel of 1 to 4 channels as one number. */
static inline uint32_t pixel_load(const uint8_t *p, size_t channels)
{
    uint32_t color = 0;

    for (size_t i = 0; i < channels; i++)
        color |= (uint32_t) p[i] << 8 * i;
    return color;
}

/* Undoes the multiplication of a channel by alpha / 255. */
static inline uint8_t pixel_straight(uint8_t value, uint8_t alpha)
{
    unsigned full = alpha ? (value * 255U + alpha / 2U) / alpha : 0;

    return (uint8_t) (full < 255 ? full : 255);
}

/* The slot of a colour in the class, or a free slot for it; there are at most PIXEL_COLORS
 * colours. */
static inline size_t pixel_slot(const struct pixel_class *class, uint32_t color)
{
    size_t at = color * 0x9E3779B1U / (UINT32_MAX / PIXEL_SLOTS + 1);

    while (class->index[at] >= 0 && class->keys[at] != color)
        at = (at + 1) % PIXEL_SLOTS;
    return at;
}
