/* jpeg_blocks: the coefficients of all blocks of a JPEG image, and the image written from them.
 * Sections are those of ITU-T T.81. */
#pragma once

#include "recovery/image_repair/jpeg_band.h"
#include "recovery/image_repair/jpeg_head.h"

/* The blocks of a component, with those that fill the last MCUs of rows and columns. */
struct jpeg_plane_blocks {
    int16_t (*list)[JPEG_BLOCK]; /* owned, row by row */
    unsigned char *low;          /* of each block: number of low bits not known yet; owned */
    unsigned char *doubt;        /* of each block: whether coefficients may be wrong; owned */
    size_t stride;               /* blocks of a row */
    size_t across, down;         /* those with samples: what a scan of this component has (A.2.2) */
};

struct jpeg_blocks {
    const struct jpeg_head *head; /* borrowed */
    struct jpeg_plane_blocks of[JPEG_COMPONENTS];
    size_t n; /* number of blocks of all components */
};

/* Allocates the blocks of an image; all coefficients are 0. False: too many blocks, or out of
 * memory. */
bool jpeg_blocks_make(struct jpeg_blocks *blocks, const struct jpeg_head *head);
void jpeg_blocks_free(struct jpeg_blocks *blocks);
/* The i-th block of a scan of component c alone, as an index of its list. */
size_t jpeg_blocks_index(const struct jpeg_plane_blocks *of, size_t i);
/* Appends the image as a baseline one, with the code tables of K.3.3. A coefficient whose low bits
 * are not known is written as the middle of its possible values. False if it cannot be written. */
bool jpeg_blocks_write(const struct jpeg_blocks *blocks, struct buf *out);
