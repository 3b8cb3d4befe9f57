/*
 * jpeg_align: finds where the blocks of a scan of a progressive JPEG image belong that were read
 * after damage in it.
 *
 * The first of them belong to the beginning of the scan, the last ones to its end. Where the one
 * part ends and the other begins can be seen from the other scans: the steps of brightness from
 * block to block, which the DC coefficients give, are also in the lowest AC coefficients (T.81,
 * K.8), and blocks with much detail have it in all bands.
 */
#pragma once

#include "image_repair/jpeg_blocks.h"

/* Blocks up to `before` are those that were read first, those from `after` on the last ones. */
struct jpeg_split {
    size_t before, after;
    int64_t cost; /* how ill they go with the rest */
};

/* `list`: what was read of a band of component c for the n blocks of its scan from `first` on. */
struct jpeg_split jpeg_align_band(const struct jpeg_blocks *blocks, int c,
                                  const struct jpeg_band *band, size_t first, size_t n,
                                  int16_t (*list)[JPEG_BLOCK], size_t read);

/* The DC coefficients of an MCU. */
struct jpeg_levels {
    int16_t of[JPEG_BLOCKS];
};

/* Those of MCUs that follow each other. */
struct jpeg_level_list {
    struct jpeg_levels *list; /* owned */
    size_t n;
};

/* For the n MCUs from `first` on of a scan of all components: those of `start` are at its beginning
 * if they are right, those of `end` at its end. */
struct jpeg_split jpeg_align_levels(const struct jpeg_blocks *blocks, size_t first, size_t n,
                                    const struct jpeg_level_list *start,
                                    const struct jpeg_level_list *end);
/* Where the second part begins, near the place that was found: by the level of its first row, too.
 */
size_t jpeg_align_near(const struct jpeg_blocks *blocks, size_t first, size_t n,
                       const struct jpeg_level_list *start, const struct jpeg_level_list *end,
                       size_t place);
/* Puts them there, those after the damage at the level of the blocks above; or all of `start` if
 * that goes better with the rest. That is what the blocks have before. */
void jpeg_align_put_levels(struct jpeg_blocks *blocks, size_t first, size_t n,
                           const struct jpeg_level_list *start, const struct jpeg_level_list *end,
                           struct jpeg_split parts);
