/* zstream_recover (recovery/inflate_repair/zstream.h). */
#include <string.h>

#include "recovery/inflate_repair/huffman.h"
#include "recovery/inflate_repair/zstream.h"

#define TAIL_BITS   ((size_t) 8 * 12) /* limit of the data after the last block */
#define SCARS_MAX   2000              /* a stream with more of them is noise */
#define PROOF       300               /* symbols that must read well for a block to be believed */
#define SEARCH_BITS (8 * 65536)
#define FIXED       1U /* types of blocks (RFC 1951, 3.2.3) */
#define DYNAMIC     2U

struct recovery {
    struct bits bits;
    struct buf *out;
    size_t max;
    struct zstream_scars scars;
    const struct zstream_gap *gap; /* NULL: none is known */
    bool closed;
};

static size_t scar(struct recovery *r)
{
    r->scars.last = r->out->len;
    if (r->scars.n++ == 0)
        r->scars.first = r->out->len;
    return r->scars.n;
}

static void put_blanks(struct buf *out, size_t n)
{
    void *room = n > 0 ? buf_room(out, n) : NULL;

    if (!room)
        return;
    memset(room, ' ', n);
    buf_added(out, n);
}

/* Closes the gap if its place is reached. */
static void close_gap(struct recovery *r)
{
    const struct zstream_gap *gap = r->gap;

    if (!gap || r->closed || r->out->len < gap->at + gap->added || r->out->len + gap->lost > r->max)
        return;
    r->out->len -= gap->added;
    put_blanks(r->out, gap->lost);
    gap->doubts->len -= gap->added;
    put_blanks(gap->doubts, gap->lost);
    r->closed = true;
}

static bool is_unsure(const struct zstream_gap *gap, size_t at)
{
    return at + gap->unsure_before >= gap->at && at < gap->at + gap->lost + gap->unsure_after;
}

/* Reads a symbol. What is doubtful of its bytes is read the same way: as a stream in which each
 * literal says whether that one is in doubt. */
static enum symbol_step step_symbol(struct recovery *r, const struct block *block)
{
    const struct zstream_gap *gap = r->gap;
    struct bits bits = r->bits;

    if (gap) {
        struct buf *doubts = gap->doubts;
        size_t before = doubts->len;

        symbol_step(&bits, block, doubts);
        if (doubts->len == before + 1)
            doubts->data[before] = is_unsure(gap, before) ? 1 : 0;
    }
    return symbol_step(&r->bits, block, r->out);
}

/* Of the block that begins here, if one does. */
static unsigned type_of(struct bits bits)
{
    return huffman_read_bits(&bits, 3) >> 1;
}

/* Whether what stands here reads like a block: a head, and symbols that mean something up to its
 * end or for a good while. */
static bool reads_well(struct bits bits)
{
    struct block block;

    if (type_of(bits) != DYNAMIC || !huffman_read_block(&bits, &block))
        return false;
    for (int i = 0; i < PROOF; i++) {
        enum symbol_step what = symbol_step(&bits, &block, NULL);

        if (huffman_bits_left(&bits) == 0 || what == SYMBOL_SCAR)
            return false;
        if (what == SYMBOL_END)
            return block.final ? huffman_bits_left(&bits) < TAIL_BITS : i > 20;
    }
    return true;
}

/* The next bit at which a block may begin. */
static bool find_block(struct bits *bits)
{
    struct bits look = *bits;

    for (int i = 0; i < SEARCH_BITS && huffman_bits_left(&look) > 100; i++, look.at++) {
        if (reads_well(look)) {
            *bits = look;
            return true;
        }
    }
    return false;
}

static bool can_follow(const struct recovery *r, const struct block *block)
{
    struct bits look = r->bits;
    struct block next;

    if (block->final)
        return huffman_bits_left(&look) < TAIL_BITS;
    /* The codes of a fixed one are always right. */
    return type_of(look) == FIXED ? huffman_bits_left(&look) > 3 : huffman_read_block(&look, &next);
}

static void put_literal(struct recovery *r, char byte)
{
    buf_putc(r->out, byte);
    if (r->gap)
        buf_putc(r->gap->doubts, '\0');
}

/* True: its end was reached, or the end of everything. False: it went wrong too often. */
static bool read_block(struct recovery *r, const struct block *block)
{
    size_t allowed = r->scars.n + 40, run = 0;

    if (block->type == 0) {
        for (size_t i = 0; i < block->stored && huffman_bits_left(&r->bits) >= 8; i++)
            put_literal(r, (char) huffman_read_bits(&r->bits, 8));
        return true;
    }
    while (huffman_bits_left(&r->bits) && r->out->len < r->max && r->scars.n < SCARS_MAX) {
        close_gap(r);
        switch (step_symbol(r, block)) {
        case SYMBOL_ON:
            if (++run % 512 == 0) /* in step again for a while: earlier scars are forgiven */
                allowed = r->scars.n + 40;
            break;
        case SYMBOL_SCAR:
            if (scar(r) > allowed)
                return false;
            break;
        case SYMBOL_END:
            if (can_follow(r, block))
                return true;
            if (scar(r) > allowed)
                return false;
            break;
        }
    }
    return true;
}

struct zstream_scars zstream_recover(const unsigned char *data, size_t n, size_t max,
                                     const struct zstream_gap *gap, struct buf *out)
{
    struct recovery r = { { data, n, 0 }, out, max, { 0 }, gap, false };
    bool last = false;

    if (n > 2 && (data[0] & 15) == 8)
        r.bits.at = 16; /* the head says nothing that is needed */
    while (!last && huffman_bits_left(&r.bits) > 8 && out->len < max && !out->failed) {
        struct block block;
        struct bits before = r.bits;

        if (!huffman_read_block(&r.bits, &block)) {
            scar(&r);
            r.bits = before;
            r.bits.at++;
            if (!find_block(&r.bits))
                break;
            continue;
        }
        last = read_block(&r, &block) && block.final;
        if (!last && block.final && !find_block(&r.bits))
            break;
    }
    close_gap(&r);
    if (out->len > max) /* by the last repetition */
        out->len = max;
    return r.scars;
}
