/*
 * jpeg_refine: reads a scan of a progressive JPEG image that adds bits to coefficients, past
 * damage.
 *
 * Such data can be read from any bit on for any block, and only where it ends shows whether it was
 * right: readings that begin at wrong bits near by fall in step with the right one after some
 * blocks, as long as they count the same block.
 */
#pragma once

#include "recovery/image_repair/jpeg_blocks.h"

struct jpeg_refine {
    struct jpeg_plane_blocks *of;
    struct jpeg_band band;
    size_t first, n; /* the scan has n blocks of the component, from `first` on */
    int missing; /* number of bits that the damage removed, or, if negative, inserted; 0: not known
                  */
    size_t *effort; /* bits that may be read to search */
};

/* Adds the bits of the scan to the coefficients, as far as they can be read. True: all of the data
 * was sound. */
bool jpeg_refine_read(const struct jpeg_refine *refine, const struct jpeg_bits *bits);
