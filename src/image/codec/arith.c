#include "image/codec/arith.h"

#include <stdbool.h>

/* Table E.1: probability, next index after the more and the less likely symbol, and whether the
 * two are exchanged. */
static const struct state {
    uint16_t qe;
    uint8_t nmps, nlps, change;
} states[47] = {
    { 0x5601, 1, 1, 1 },   { 0x3401, 2, 6, 0 },   { 0x1801, 3, 9, 0 },   { 0x0AC1, 4, 12, 0 },
    { 0x0521, 5, 29, 0 },  { 0x0221, 38, 33, 0 }, { 0x5601, 7, 6, 1 },   { 0x5401, 8, 14, 0 },
    { 0x4801, 9, 14, 0 },  { 0x3801, 10, 14, 0 }, { 0x3001, 11, 17, 0 }, { 0x2401, 12, 18, 0 },
    { 0x1C01, 13, 20, 0 }, { 0x1601, 29, 21, 0 }, { 0x5601, 15, 14, 1 }, { 0x5401, 16, 14, 0 },
    { 0x5101, 17, 15, 0 }, { 0x4801, 18, 16, 0 }, { 0x3801, 19, 17, 0 }, { 0x3401, 20, 18, 0 },
    { 0x3001, 21, 19, 0 }, { 0x2801, 22, 19, 0 }, { 0x2401, 23, 20, 0 }, { 0x2201, 24, 21, 0 },
    { 0x1C01, 25, 22, 0 }, { 0x1801, 26, 23, 0 }, { 0x1601, 27, 24, 0 }, { 0x1401, 28, 25, 0 },
    { 0x1201, 29, 26, 0 }, { 0x1101, 30, 27, 0 }, { 0x0AC1, 31, 28, 0 }, { 0x09C1, 32, 29, 0 },
    { 0x08A1, 33, 30, 0 }, { 0x0521, 34, 31, 0 }, { 0x0441, 35, 32, 0 }, { 0x02A1, 36, 33, 0 },
    { 0x0221, 37, 34, 0 }, { 0x0141, 38, 35, 0 }, { 0x0111, 39, 36, 0 }, { 0x0085, 40, 37, 0 },
    { 0x0049, 41, 38, 0 }, { 0x0025, 42, 39, 0 }, { 0x0015, 43, 40, 0 }, { 0x0009, 44, 41, 0 },
    { 0x0005, 45, 42, 0 }, { 0x0001, 45, 43, 0 }, { 0x5601, 46, 46, 0 },
};

/* The same probabilities by context: two entries each, for either more likely value. */
const uint16_t arith_less[128] = {
    0x5601, 0x5601, 0x3401, 0x3401, 0x1801, 0x1801, 0x0AC1, 0x0AC1, 0x0521, 0x0521, 0x0221, 0x0221,
    0x5601, 0x5601, 0x5401, 0x5401, 0x4801, 0x4801, 0x3801, 0x3801, 0x3001, 0x3001, 0x2401, 0x2401,
    0x1C01, 0x1C01, 0x1601, 0x1601, 0x5601, 0x5601, 0x5401, 0x5401, 0x5101, 0x5101, 0x4801, 0x4801,
    0x3801, 0x3801, 0x3401, 0x3401, 0x3001, 0x3001, 0x2801, 0x2801, 0x2401, 0x2401, 0x2201, 0x2201,
    0x1C01, 0x1C01, 0x1801, 0x1801, 0x1601, 0x1601, 0x1401, 0x1401, 0x1201, 0x1201, 0x1101, 0x1101,
    0x0AC1, 0x0AC1, 0x09C1, 0x09C1, 0x08A1, 0x08A1, 0x0521, 0x0521, 0x0441, 0x0441, 0x02A1, 0x02A1,
    0x0221, 0x0221, 0x0141, 0x0141, 0x0111, 0x0111, 0x0085, 0x0085, 0x0049, 0x0049, 0x0025, 0x0025,
    0x0015, 0x0015, 0x0009, 0x0009, 0x0005, 0x0005, 0x0001, 0x0001, 0x5601, 0x5601,
};

void arith_begin(struct arith *coder, struct buf *out)
{
    *coder = (struct arith){ .a = 0x8000, .ct = 12, .b = -1, .out = out };
}

static void put_byte(struct arith *e)
{
    if (e->b >= 0)
        buf_putc(e->out, (char) e->b);
}

/* BYTEOUT (figure E.9): after 0xff only seven bits are written, so that a carry cannot reach it. */
static void byte_out(struct arith *e)
{
    if (e->b != 0xff && e->c >= 0x8000000 && e->b >= 0) {
        e->b++;
        if (e->b == 0xff)
            e->c &= 0x7ffffff;
    }
    put_byte(e);
    if (e->b == 0xff) {
        e->b = (int) (e->c >> 20);
        e->c &= 0xfffff;
        e->ct = 7;
    } else {
        e->b = (int) (e->c >> 19 & 0xff);
        e->c &= 0x7ffff;
        e->ct = 8;
    }
}

static void renormalize(struct arith *e)
{
    do {
        e->a <<= 1;
        e->c <<= 1;
        if (--e->ct == 0)
            byte_out(e);
    } while (!(e->a & 0x8000));
}

void arith_put_any(struct arith *e, arith_cx *cx, unsigned bit)
{
    const struct state *s = &states[*cx >> 1];

    e->a -= s->qe;
    if (bit == (*cx & 1u)) {
        if (e->a & 0x8000) {
            e->c += s->qe;
            return;
        }
        if (e->a < s->qe)
            e->a = s->qe;
        else
            e->c += s->qe;
        *cx = (arith_cx) (s->nmps << 1 | (*cx & 1));
    } else {
        if (e->a < s->qe)
            e->c += s->qe;
        else
            e->a = s->qe;
        *cx = (arith_cx) (s->nlps << 1 | ((*cx & 1) ^ s->change));
    }
    renormalize(e);
}

/* FLUSH (figure E.11), followed by the end marker. */
void arith_end(struct arith *e)
{
    uint32_t top = e->c + e->a;

    e->c |= 0xffff;
    if (e->c >= top)
        e->c -= 0x8000;
    e->c <<= e->ct;
    byte_out(e);
    e->c <<= e->ct;
    byte_out(e);
    put_byte(e);
    if (e->b != 0xff)
        buf_putc(e->out, (char) 0xff);
    buf_putc(e->out, (char) 0xac);
}

static unsigned reader_byte(const struct arith_reader *r, ptrdiff_t at)
{
    return r->end - r->data > at ? r->data[at] : 0xff;
}

/* BYTEIN (figure E.17). */
static void byte_in(struct arith_reader *r)
{
    unsigned next = reader_byte(r, 1);

    r->ct = 8;
    if (reader_byte(r, 0) == 0xff && next > 0x8f) {
        r->c += 0xff00;
        return;
    }
    if (reader_byte(r, 0) == 0xff) {
        r->c += next << 9;
        r->ct = 7;
    } else {
        r->c += next << 8;
    }
    r->data++;
}

void arith_read_begin(struct arith_reader *r, const uint8_t *data, size_t n)
{
    *r = (struct arith_reader){ .data = data, .end = data + n, .a = 0x8000 };
    r->c = reader_byte(r, 0) << 16;
    byte_in(r);
    r->c <<= 7;
    r->ct -= 7;
}

unsigned arith_get(struct arith_reader *r, arith_cx *cx)
{
    const struct state *state = &states[*cx >> 1];
    unsigned likely = *cx & 1u, bit = likely, less = state->qe;
    bool is_less = r->c >> 16 < less;

    r->a -= less;
    if (!is_less) {
        r->c -= less << 16;
        if (r->a & 0x8000)
            return likely;
    }
    /* The smaller part is that of the less likely value, whichever it is (figures E.15, E.16). */
    if (is_less == (r->a >= less)) {
        bit = 1 - likely;
        *cx = (arith_cx) ((unsigned) state->nlps << 1 | (state->change ? bit : likely));
    } else {
        *cx = (arith_cx) ((unsigned) state->nmps << 1 | likely);
    }
    if (is_less)
        r->a = less;
    do {
        if (r->ct == 0)
            byte_in(r);
        r->a <<= 1;
        r->c <<= 1;
        r->ct--;
    } while (!(r->a & 0x8000));
    return bit;
}
