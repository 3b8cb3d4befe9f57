/* symbols: symbol dictionaries and text regions of JBIG2 (ITU-T
 * T.88, 6.4, 6.5, 7.4.2, 7.4.3). */
#pragma once

#include "image/jbig2/region.h"

#define JBIG2_SYMBOLS 65536 /* limit of the symbols that a segment uses or defines */

/* What a segment gets from those that it refers to, borrowed. */
struct jbig2_inputs {
    const struct jbig2_map **symbols;
    size_t n_symbols;
    const struct jbig2_table *tables[8]; /* in their order */
    size_t n_tables;
    const struct jbig2_dictionary *last; /* the last dictionary, or NULL */
};

/* What a symbol dictionary defines: maps that it owns, in the order in which it exports them. */
struct jbig2_dictionary {
    struct jbig2_map *maps; /* the new symbols */
    size_t n_maps;
    const struct jbig2_map **exported; /* new ones, and those of other dictionaries */
    size_t n_exported;
    /* Its contexts, if it retains them for another one. */
    arith_cx *generic, *refine;
};

void jbig2_dictionary_free(struct jbig2_dictionary *dictionary);
/* Reads the data of a dictionary segment. False: it is damaged, or too large. */
bool jbig2_dictionary_read(struct jbig2_dictionary *dictionary, const uint8_t *data, size_t n,
                           const struct jbig2_inputs *inputs);
/* Reads the data of a text region after its region information; `map` has the region's size. */
bool jbig2_text_read(struct jbig2_map *map, const uint8_t *data, size_t n,
                     const struct jbig2_inputs *inputs);
