/*
 * split: separates rows of pixels into the data of a picture and of its soft mask (ISO 32000-1,
 * 11.6.5.3: in PDF, opacity is an image of its own).
 */
#pragma once

#include "image/import/image_file.h"
#include "image/import/pack.h"

struct split_shape {
    uint32_t width, height;
    unsigned components; /* number of colour components */
    unsigned bits;       /* of a component; with alpha 8 or 16 */
    bool alpha;          /* the last component, in addition to these, is opacity */
    bool indexed;
};

struct split {
    struct image_file *file;
    struct split_shape shape;
    struct pack colour, mask;
    uint8_t *colour_row, *mask_row;
    bool seen_through; /* some pixel was not opaque */
};

/* Begins a picture; rows are written to file->packed and file->mask. */
int split_start(struct split *split, struct image_file *file, const struct split_shape *shape,
                struct err *err);
/* Adds a row with interleaved components; 16-bit samples have the high byte first. */
int split_row(struct split *split, const uint8_t *row, struct err *err);
/* Sets the picture's data, and its mask unless all pixels are opaque. */
int split_finish(struct split *split, struct image *image, struct err *err);
void split_free(struct split *split);
#define AUTO_SPLIT __attribute__((cleanup(split_free)))
