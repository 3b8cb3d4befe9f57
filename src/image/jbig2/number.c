#include "image/jbig2/number.h"

#include <stdlib.h>

#define ID_BITS 17 /* limit of the bits of a symbol's number */

bool jbig2_numbers_new(struct jbig2_numbers *numbers, unsigned id_bits)
{
    numbers->id_bits = id_bits;
    numbers->ids = id_bits <= ID_BITS ? calloc((size_t) 1 << id_bits, 1) : NULL;
    return numbers->ids != NULL;
}

void jbig2_numbers_free(struct jbig2_numbers *numbers)
{
    free(numbers->ids);
    numbers->ids = NULL;
}

static unsigned next_bit(struct jbig2_numbers *numbers, arith_cx *contexts, unsigned *before)
{
    unsigned bit = arith_get(&numbers->reader, &contexts[*before]);

    *before = *before < 256 ? *before << 1 | bit : ((*before << 1 | bit) & 511) | 256;
    return bit;
}

/* Figure A.1. */
enum jbig2_got jbig2_numbers_get(struct jbig2_numbers *numbers, enum jbig2_procedure procedure,
                                 int32_t *value)
{
    static const struct {
        unsigned bits;
        uint32_t low;
    } ranges[] = { { 2, 0 }, { 4, 4 }, { 6, 20 }, { 8, 84 }, { 12, 340 }, { 32, 4436 } };
    arith_cx *contexts = numbers->contexts[procedure];
    unsigned before = 1, negative = next_bit(numbers, contexts, &before);
    uint32_t more = 0;
    size_t range = 0;

    while (range < 5 && next_bit(numbers, contexts, &before))
        range++;
    for (unsigned i = 0; i < ranges[range].bits; i++)
        more = more << 1 | next_bit(numbers, contexts, &before);
    if (more > INT32_MAX - ranges[range].low)
        return JBIG2_DAMAGED;
    *value = (int32_t) (more + ranges[range].low);
    if (negative && *value == 0)
        return JBIG2_OOB;
    if (negative)
        *value = -*value;
    return JBIG2_NUMBER;
}

uint32_t jbig2_numbers_id(struct jbig2_numbers *numbers)
{
    uint32_t before = 1;

    for (unsigned i = 0; i < numbers->id_bits; i++)
        before = before << 1 | arith_get(&numbers->reader, &numbers->ids[before]);
    return before - (1U << numbers->id_bits);
}
