/* number: the numbers that JBIG2 codes arithmetically (ITU-T T.88, annex A). */
#pragma once

#include "image/codec/arith.h"
#include "image/jbig2/huffman.h"

/* The procedures that decode numbers, each with contexts of its own. */
enum jbig2_procedure {
    JBIG2_IADH,
    JBIG2_IADW,
    JBIG2_IAEX,
    JBIG2_IAAI,
    JBIG2_IADT,
    JBIG2_IAFS,
    JBIG2_IADS,
    JBIG2_IAIT,
    JBIG2_IARI,
    JBIG2_IARDW,
    JBIG2_IARDH,
    JBIG2_IARDX,
    JBIG2_IARDY,
    JBIG2_PROCEDURES,
};

struct jbig2_numbers {
    struct arith_reader reader;
    arith_cx contexts[JBIG2_PROCEDURES][512];
    arith_cx *ids;    /* of IAID; owned */
    unsigned id_bits; /* of a symbol's number */
    arith_cx *refine; /* contexts of refinements, borrowed */
};

/* Prepares the contexts of IAID. False without memory, or for more than 17 bits. */
bool jbig2_numbers_new(struct jbig2_numbers *numbers, unsigned id_bits);
void jbig2_numbers_free(struct jbig2_numbers *numbers);
enum jbig2_got jbig2_numbers_get(struct jbig2_numbers *numbers, enum jbig2_procedure procedure,
                                 int32_t *value);
uint32_t jbig2_numbers_id(struct jbig2_numbers *numbers);
