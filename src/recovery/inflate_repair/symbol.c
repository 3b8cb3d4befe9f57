/* symbol_step (recovery/inflate_repair/huffman.h). */
#include "recovery/inflate_repair/huffman.h"

#define END_OF_BLOCK 256

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

#define ROOM 512 /* bytes: more than the longest repetition */

/* Makes room for a repetition, and for more at once: there are many. */
static bool has_room(struct buf *out)
{
    return !out->failed && (out->cap > out->len + ROOM || buf_room(out, (size_t) 2 * ROOM) != NULL);
}

/* Repeats what was put out `distance` bytes ago. */
static void repeat(struct buf *out, size_t distance, unsigned length)
{
    if (!has_room(out))
        return;
    while (length--) {
        out->data[out->len] = distance <= out->len ? out->data[out->len - distance] : ' ';
        out->len++;
    }
    out->data[out->len] = '\0';
}

enum symbol_step symbol_step(struct bits *bits, const struct block *block, struct buf *out)
{
    int symbol = huffman_read(bits, &block->literals), far;
    unsigned length;
    size_t distance;
    bool before;

    if (symbol < 0 || symbol > 285)
        return SYMBOL_SCAR;
    if (symbol == END_OF_BLOCK)
        return SYMBOL_END;
    if (symbol < END_OF_BLOCK) {
        if (out)
            buf_putc(out, (char) symbol);
        return SYMBOL_ON;
    }
    length = length_base[symbol - 257] + huffman_read_bits(bits, length_extra[symbol - 257]);
    far = huffman_read(bits, &block->distances);
    if (far < 0 || far > 29)
        return SYMBOL_SCAR;
    distance = distance_base[far] + huffman_read_bits(bits, distance_extra[far]);
    before = out && distance > out->len;
    if (out)
        repeat(out, distance, length);
    return before ? SYMBOL_SCAR : SYMBOL_ON;
}
