/*
 * split: rows of pixels with or without opacity become the data of a picture and of its mask
 * (ISO 32000-1, 11.6.5.3: in a PDF opacity is a picture of its own).
 */
#pragma once

#include "image_import/format.h"
#include "image_import/pack.h"

struct split_shape {
    uint32_t width, height;
    unsigned components; /* of colour */
    unsigned bits;       /* of a component; with alpha 8 or 16 */
    bool alpha;          /* one more component, the last, is opacity */
    bool indexed;
};

struct split {
    struct image_file *file;
    struct split_shape shape;
    struct pack colour, mask;
    uint8_t *colour_row, *mask_row;
    bool seen_through; /* not all was opaque */
};

/* Rows go to file->packed and file->mask. */
int split_start(struct split *split, struct image_file *file, const struct split_shape *shape,
                struct err *err);
/* Components interleaved, of 16 bits the high byte first. */
int split_row(struct split *split, const uint8_t *row, struct err *err);
/* Gives the picture its data, and a mask unless all is opaque. */
int split_finish(struct split *split, struct image *image, struct err *err);
void split_free(struct split *split);
#define AUTO_SPLIT __attribute__((cleanup(split_free)))
