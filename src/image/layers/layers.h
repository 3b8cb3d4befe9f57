/*
 * layers: splits the picture of a scanned page in layers, as mixed raster content (ITU-T T.44) has
 * them: a mask with the strokes of letters at full resolution, their colour, and the
 * background at a low resolution. Photographs stay in the background, of which more is kept there.
 */
#pragma once

#include "base/buf.h"
#include "image/codec/raster.h"

struct layers_options {
    double dpi; /* of the picture */
    bool clean; /* paper becomes white, and specks go */
};

struct layers {
    size_t width, height;           /* of the mask */
    struct buf mask;                /* JBIG2: ink is black */
    size_t back_width, back_height; /* of the background; 0: it is white */
    struct buf back;                /* JPEG, gray or RGB */
    size_t ink_width, ink_height;   /* of the colours of the ink; 0: it has one */
    struct buf ink;                 /* JPEG */
    uint8_t colour[3];              /* the colour of the ink, where it has one */
    bool gray;                      /* the pictures and the colour are gray: colour[0] */
};

enum layers_end {
    LAYERS_MADE,
    LAYERS_LOST, /* a stroke would be lost: the picture has to stay as it is */
    LAYERS_NO_MEMORY
};

/* Splits a picture of 1 or 3 channels. */
enum layers_end layers_make(const struct raster *picture, const struct layers_options *options,
                            struct layers *out);
void layers_free(struct layers *layers);
