/* arith: the adaptive arithmetic coder of JBIG2 (ITU-T T.88, annex E). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct arith {
    uint32_t a, c;
    int ct;
    int b; /* the byte that may still take a carry; -1 before the first */
    struct buf *out;
};

/* A context: index into the table of probabilities, and the likelier value. */
typedef uint8_t arith_cx;

void arith_begin(struct arith *coder, struct buf *out);
void arith_put(struct arith *coder, arith_cx *cx, unsigned bit);
void arith_end(struct arith *coder);
