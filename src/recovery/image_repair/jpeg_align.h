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

#include "recovery/image_repair/jpeg_blocks.h"

/* The division of a scan at its damage: its first `before` blocks or MCUs are those that were read
 * first, those from `after` on were read last, and those between the two are lost. */
struct jpeg_split {
    size_t before, after;
    int64_t cost; /* how much the blocks differ from what the other scans say; 0: not at all */
};

/* Divides a scan of a band of component c, which has n blocks from `first` on. `list`: the `read`
 * blocks that were read in spite of the damage. */
struct jpeg_split jpeg_align_band(const struct jpeg_blocks *blocks, int c,
                                  const struct jpeg_band *band, size_t first, size_t n,
                                  int16_t (*list)[JPEG_BLOCK], size_t read);

/* The DC coefficients of an MCU. */
struct jpeg_levels {
    int16_t of[JPEG_BLOCKS];
};

/* The DC coefficients of consecutive MCUs. */
struct jpeg_level_list {
    struct jpeg_levels *list; /* owned */
    size_t n;
};

/* Divides a scan of all components, which has n MCUs from `first` on. `start` was read from the
 * beginning of the scan, and `end` up to its end; both may be wrong near the damage. */
struct jpeg_split jpeg_align_levels(const struct jpeg_blocks *blocks, size_t first, size_t n,
                                    const struct jpeg_level_list *start,
                                    const struct jpeg_level_list *end);
/* Returns the MCU at which the second part begins, searched near `place`, which jpeg_align_levels
 * found: the level of the second part's first row is compared, too. */
size_t jpeg_align_near(const struct jpeg_blocks *blocks, size_t first, size_t n,
                       const struct jpeg_level_list *start, const struct jpeg_level_list *end,
                       size_t place);
/* Gives the blocks the DC coefficients of both parts, those of the second part at the level of the
 * blocks above them. If `start` alone, with which the blocks have been filled before, differs less
 * from the blocks above, it is kept instead. */
void jpeg_align_put_levels(struct jpeg_blocks *blocks, size_t first, size_t n,
                           const struct jpeg_level_list *start, const struct jpeg_level_list *end,
                           struct jpeg_split parts);
