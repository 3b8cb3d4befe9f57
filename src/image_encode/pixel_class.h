/*
 * pixel_class: what the pixels of a page really are, and so the least a PNG needs for them,
 * exactly: gray of 1, 2, 4 or 8 bits, a palette of at most 256 colours, no alpha where all is
 * opaque.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "image_encode/pixmap.h"

/* The colour types of PNG (ISO/IEC 15948, 11.2.2). */
enum pixel_type {
    PIXEL_GRAY = 0,
    PIXEL_RGB = 2,
    PIXEL_PALETTE = 3,
    PIXEL_GRAY_ALPHA = 4,
    PIXEL_RGBA = 6,
};

#define PIXEL_COLORS 256
#define PIXEL_SLOTS  1024 /* a power of 2 */

struct pixel_class {
    enum pixel_type type;
    unsigned bits;                    /* a channel, or an index */
    unsigned n_colors;                /* of the palette */
    uint8_t palette[PIXEL_COLORS][4]; /* red, green, blue, alpha; what is not opaque first */
    /* colour, as it lies in memory -> its index; open addressing */
    uint32_t keys[PIXEL_SLOTS];
    int16_t index[PIXEL_SLOTS]; /* -1: free */
};

/* Every pixel is gray. */
bool pixel_class_is_gray(const struct pixmap *pixmap);
/* What all of the pixmap is. */
void pixel_class_find(const struct pixmap *pixmap, struct pixel_class *class);
/* What any pixmap of this kind can be told as. */
void pixel_class_of_kind(enum pixmap_kind kind, struct pixel_class *class);
/* Bytes of a row. */
size_t pixel_class_row_size(const struct pixel_class *class, uint32_t width);
/* Row y as the class has it: pixel_class_row_size bytes, in `room` (four bytes a pixel) or where
 * the pixmap has them. The pixmap is one the class holds for. */
const uint8_t *pixel_class_row(const struct pixel_class *class, const struct pixmap *pixmap,
                               uint32_t y, uint8_t *room);
