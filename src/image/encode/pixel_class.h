/*
 * pixel_class: the smallest PNG format that represents all pixels of a page exactly: gray of 1, 2,
 * 4 or 8 bits, a palette of at most 256 colours, no alpha channel if all pixels are opaque.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "image/encode/pixmap.h"

/* The colour types of PNG (ISO/IEC 15948, 11.2.2). */
enum pixel_type {
    PIXEL_GRAY = 0,
    PIXEL_RGB = 2,
    PIXEL_PALETTE = 3,
    PIXEL_GRAY_ALPHA = 4,
    PIXEL_RGBA = 6,
};

#define PIXEL_COLORS 256  /* limit of the entries of a palette */
#define PIXEL_SLOTS  1024 /* a power of 2 */

struct pixel_class {
    enum pixel_type type;
    unsigned bits;     /* of a channel, or of an index */
    unsigned n_colors; /* number of palette entries */
    /* red, green, blue, alpha; entries that are not opaque come first */
    uint8_t palette[PIXEL_COLORS][4];
    /* Hash table with open addressing from a colour, as it is in memory, to its index. */
    uint32_t keys[PIXEL_SLOTS];
    int16_t index[PIXEL_SLOTS]; /* -1: free slot */
};

/* Whether every pixel is gray. */
bool pixel_class_is_gray(const struct pixmap *pixmap);
/* Finds the smallest format of the whole pixmap. */
void pixel_class_find(const struct pixmap *pixmap, struct pixel_class *class);
/* The format that represents any pixmap of this kind. */
void pixel_class_of_kind(enum pixmap_kind kind, struct pixel_class *class);
/* Bytes of a row in this format. */
size_t pixel_class_row_size(const struct pixel_class *class, uint32_t width);
/* Row y in this format: pixel_class_row_size bytes, in `room` (four bytes for each pixel) or
 * inside the pixmap. The pixmap must be one that the class was found for. */
const uint8_t *pixel_class_row(const struct pixel_class *class, const struct pixmap *pixmap,
                               uint32_t y, uint8_t *room);
