/* text: the text regions of JBIG2 (ITU-T T.88, 6.4), which dictionaries contain, too. */
#pragma once

#include "image/jbig2/number.h"
#include "image/jbig2/region.h"

enum jbig2_corner { JBIG2_BOTTOM_LEFT, JBIG2_TOP_LEFT, JBIG2_BOTTOM_RIGHT, JBIG2_TOP_RIGHT };

/* The parameters of table 9. */
struct jbig2_text {
    bool huffman, refined, transposed;
    unsigned log_strips;
    enum jbig2_corner corner;
    enum jbig2_combine combine;
    int ds_offset;
    unsigned id_bits; /* of a symbol's number */
    uint32_t instances;
    const struct jbig2_map *const *symbols;
    size_t n_symbols;
    unsigned refine_template;
    int8_t refine_at[4];
    /* for Huffman codes */
    const struct jbig2_table *fs, *ds, *dt, *rdw, *rdh, *rdx, *rdy, *rsize, *ids;
};

/* Draws the symbols on the map. Reads from `bits`, or else from `numbers`. */
bool jbig2_text_draw(const struct jbig2_text *how, struct jbig2_bits *bits,
                     struct jbig2_numbers *numbers, struct jbig2_map *map);
