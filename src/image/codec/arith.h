/* arith: the adaptive arithmetic coder and decoder of JBIG2 (ITU-T T.88, annex E). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct arith {
    uint32_t a, c; /* the registers A, C and CT of the specification */
    int ct;
    int b; /* the last byte, which a carry may still change; -1 before the first */
    struct buf *out;
};

/* A context: twice the index into the probability table (below 47), plus the more likely value. */
typedef uint8_t arith_cx;

/* Begins a stream of coded bits, which is appended to `out`. */
void arith_begin(struct arith *coder, struct buf *out);
/* The probability of the less likely value (Qe of table E.1), by context. */
extern const uint16_t arith_less[128];

/* The general case of coding one bit. */
void arith_put_any(struct arith *coder, arith_cx *cx, unsigned bit);

/* Codes n equal bits in the same context; faster while the context predicts them well. */
static inline void arith_put_same(struct arith *coder, arith_cx *cx, unsigned bit, unsigned n)
{
    uint32_t less = n * arith_less[*cx];

    if (bit == (*cx & 1u) && coder->a >= less + 0x8000) {
        coder->a -= less;
        coder->c += less;
        return;
    }
    while (n-- > 0)
        arith_put_any(coder, cx, bit);
}

static inline void arith_put(struct arith *coder, arith_cx *cx, unsigned bit)
{
    arith_put_same(coder, cx, bit, 1);
}

/* Ends the stream, with the marker 0xff 0xac. */
void arith_end(struct arith *coder);

/* Reads a stream of coded bits. After its end there are as many 1 bits as are read (E.3.4). */
struct arith_reader {
    const uint8_t *data, *end; /* the byte that was read last, and the end of the data */
    uint32_t c, a;
    int ct;
};

void arith_read_begin(struct arith_reader *reader, const uint8_t *data, size_t n);
/* Decodes one bit. */
unsigned arith_get(struct arith_reader *reader, arith_cx *cx);
