/* halftone: pattern dictionaries and halftone regions of JBIG2 (ITU-T T.88, 6.6, 6.7). */
#pragma once

#include "image/jbig2/map.h"

/* The patterns, which all have the same size, side by side. */
struct jbig2_patterns {
    struct jbig2_map all;
    uint32_t width, height, n; /* size of a pattern, and their number */
};

/* Reads the data of a segment. False: it is damaged, or too large. */
bool jbig2_patterns_read(struct jbig2_patterns *patterns, const uint8_t *data, size_t n);
/* Reads the data after the region information; `map` has the region's size. */
bool jbig2_halftone_read(struct jbig2_map *map, const uint8_t *data, size_t n,
                         const struct jbig2_patterns *patterns);
