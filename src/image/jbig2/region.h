/* region: generic regions and generic refinement regions of JBIG2 (ITU-T T.88, 6.2, 6.3). */
#pragma once

#include "image/codec/arith.h"
#include "image/jbig2/huffman.h"
#include "image/jbig2/map.h"

#define JBIG2_GENERIC_CONTEXTS 65536
#define JBIG2_REFINE_CONTEXTS  8192

struct jbig2_generic {
    unsigned template;
    bool typical;                 /* TPGDON: a line may equal the one above */
    int8_t at[8];                 /* the adaptive pixels: x and y of each */
    const struct jbig2_map *skip; /* pixels that are not coded, or NULL */
};

struct jbig2_refine {
    unsigned template;
    bool typical; /* TPGRON */
    int8_t at[4];
    const struct jbig2_map *reference;
    int64_t dx, dy; /* the place of the reference */
};

/* How many adaptive pixels a template has, in bytes. */
static inline size_t jbig2_generic_at(unsigned template)
{
    return template ? 2 : 8;
}

/* Decode into a map of the right size, whose pixels are 0. False: the data is damaged. */
void jbig2_generic_read(const struct jbig2_generic *how, struct arith_reader *reader,
                        arith_cx *contexts, struct jbig2_map *map);
void jbig2_refine_read(const struct jbig2_refine *how, struct arith_reader *reader,
                       arith_cx *contexts, struct jbig2_map *map);
/* Reads a map that is coded as a fax image of group 4 (6.2.6), with its end code if there is one;
 * *used: bytes. */
bool jbig2_fax_read(const uint8_t *data, size_t n, struct jbig2_map *map, size_t *used);
