/* flate_recover (salvage/flate.h). */
#include <string.h>

#include "salvage/flate.h"
#include "salvage/huffman.h"

#define END_OF_BLOCK 256
#define TAIL_BITS    (8 * 12) /* at most so much may stand behind the last block */
#define SCARS_MAX    2000     /* a stream with more of them is noise */
#define PROOF        300      /* symbols that must read well for a block to be believed */
#define SEARCH_BITS  (8 * 65536)

struct recovery {
    struct bits bits;
    struct buf *out;
    size_t max, scars;
};

static const uint16_t length_base[] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                        15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                        67, 83, 99, 115, 131, 163, 195, 227, 258 };
static const uint8_t length_extra[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
static const uint16_t distance_base[] = { 1,    2,    3,    4,     5,     7,    9,    13,
                                          17,   25,   33,   49,    65,    97,   129,  193,
                                          257,  385,  513,  769,   1025,  1537, 2049, 3073,
                                          4097, 6145, 8193, 12289, 16385, 24577 };
static const uint8_t distance_extra[] = { 0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                          6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13 };

/* Repeats what was put out `distance` bytes ago; before the beginning there are blanks. */
static void repeat(struct recovery *r, size_t distance, unsigned length)
{
    while (length--)
        buf_putc(r->out, distance <= r->out->len && r->out->data
                             ? r->out->data[r->out->len - distance]
                             : ' ');
}

enum step { STEP_ON, STEP_SCAR, STEP_END };

/* One symbol. With out NULL it is only looked at. */
static enum step step(struct bits *bits, const struct block *block, struct recovery *r)
{
    int symbol = huffman_take(bits, &block->literals), far;
    unsigned length;
    size_t distance;

    if (symbol < 0 || symbol > 285)
        return STEP_SCAR;
    if (symbol == END_OF_BLOCK)
        return STEP_END;
    if (symbol < END_OF_BLOCK) {
        if (r)
            buf_putc(r->out, (char) symbol);
        return STEP_ON;
    }
    length = length_base[symbol - 257] + bits_take(bits, length_extra[symbol - 257]);
    far = huffman_take(bits, &block->distances);
    if (far < 0 || far > 29)
        return STEP_SCAR;
    distance = distance_base[far] + bits_take(bits, distance_extra[far]);
    if (r && distance > r->out->len) {
        repeat(r, distance, length);
        return STEP_SCAR;
    }
    if (r)
        repeat(r, distance, length);
    return STEP_ON;
}

/* Whether what stands here reads like a block: a head, and symbols that mean something up to its
 * end or for a good while. */
static bool reads_well(struct bits bits)
{
    struct block block;

    if (!block_read(&bits, &block) || block.type != 2)
        return false;
    for (int i = 0; i < PROOF; i++) {
        enum step what = step(&bits, &block, NULL);

        if (bits_left(&bits) == 0 || what == STEP_SCAR)
            return false;
        if (what == STEP_END)
            return block.final ? bits_left(&bits) < TAIL_BITS : i > 20;
    }
    return true;
}

/* The next bit at which a block may begin. */
static bool find_block(struct bits *bits)
{
    struct bits look = *bits;

    for (int i = 0; i < SEARCH_BITS && bits_left(&look) > 100; i++, look.at++) {
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
        return bits_left(&look) < TAIL_BITS;
    return block_read(&look, &next);
}

/* True: its end was reached, or the end of everything. False: it went wrong too often. */
static bool read_block(struct recovery *r, const struct block *block)
{
    size_t allowed = r->scars + 40, run = 0;

    if (block->type == 0) {
        for (size_t i = 0; i < block->stored && bits_left(&r->bits) >= 8; i++)
            buf_putc(r->out, (char) bits_take(&r->bits, 8));
        return true;
    }
    while (bits_left(&r->bits) && r->out->len < r->max && r->scars < SCARS_MAX) {
        switch (step(&r->bits, block, r)) {
        case STEP_ON:
            if (++run % 512 == 0) /* in step again for a while: earlier scars are forgiven */
                allowed = r->scars + 40;
            break;
        case STEP_SCAR:
            if (++r->scars > allowed)
                return false;
            break;
        case STEP_END:
            if (can_follow(r, block))
                return true;
            if (++r->scars > allowed)
                return false;
            break;
        }
    }
    return true;
}

size_t flate_recover(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    struct recovery r = { { data, n, 0 }, out, max, 0 };
    bool last = false;

    if (n > 2 && (data[0] & 15) == 8)
        r.bits.at = 16; /* the head says nothing that is needed */
    while (!last && bits_left(&r.bits) > 8 && out->len < max && !out->failed) {
        struct block block;
        struct bits before = r.bits;

        if (!block_read(&r.bits, &block)) {
            r.scars++;
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
    return r.scars;
}
