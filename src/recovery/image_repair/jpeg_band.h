/* jpeg_band: reads blocks of the scans of progressive JPEG images (ITU-T T.81, annex G) from any
 * bit on, checking what can be checked. */
#pragma once

#include "recovery/image_repair/jpeg_huffman.h"

#define JPEG_BLOCK 64 /* coefficients, in zigzag order */

struct jpeg_band {
    const struct jpeg_huffman *table; /* borrowed */
    int first, last;                  /* indexes of coefficients */
    int low;                          /* number of low bits that later scans add */
};

/* A position in the data: the next bit, and the number of blocks from here on that have no further
 * coefficients in this band (the rest of an end-of-band run, G.1.2.2). */
struct jpeg_band_place {
    struct jpeg_bits bits;
    unsigned run;
};

/* Reads the coefficients of a block that has none in this band yet. False: it cannot be one. */
bool jpeg_band_first(const struct jpeg_band *band, struct jpeg_band_place *place,
                     int16_t block[JPEG_BLOCK]);
/* Reads the bit `low` of the coefficients of a block and adds it to them. False: the data is not
 * valid. */
bool jpeg_band_refine(const struct jpeg_band *band, struct jpeg_band_place *place,
                      int16_t block[JPEG_BLOCK]);
/* Undoes jpeg_band_refine. */
void jpeg_band_coarsen(const struct jpeg_band *band, int16_t block[JPEG_BLOCK]);
/* Whether the data ends here as a scan does: with fewer than 8 ones, and no run. */
bool jpeg_band_at_end(const struct jpeg_band_place *place);
