/*
 * scale: a picture drawn smaller or larger, each new pixel a mean of those it covers and their
 * neighbours, by the weight 1 - 3d² + 2d³ at a distance of d pixels: of the new ones where it gets
 * smaller, of the old ones where it gets larger.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scale_side {
    size_t from, to;    /* pixels of the whole picture, before and after */
    size_t first, last; /* of the new ones these are wanted: first to last - 1 */
    bool flip;          /* mirrored; first and last count as the new picture is seen */
};

/* Components of bytes, `n` a pixel: 1 to 4; from 2 pixels a side on. `to` gets the rows and columns
 * that are wanted. False: there is no memory. */
bool scale(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride, size_t n,
           const struct scale_side *across, const struct scale_side *down);
