#include "inflate_repair/huffman.h"

#include <string.h>

#define LENGTH_CODES 19
#define END_OF_BLOCK 256

unsigned bits_take(struct bits *bits, unsigned n)
{
    unsigned value = 0;

    for (unsigned i = 0; i < n; i++, bits->at++) {
        size_t byte = bits->at >> 3;

        if (byte < bits->n && (bits->data[byte] >> (bits->at & 7) & 1))
            value |= 1U << i;
    }
    return value;
}

size_t bits_left(const struct bits *bits)
{
    return bits->at >= bits->n * 8 ? 0 : bits->n * 8 - bits->at;
}

/* The codes must fill the space they have, but for one that is alone. */
static bool make_huffman(struct huffman *huffman, const uint8_t *lengths, unsigned n)
{
    uint16_t offset[HUFFMAN_BITS + 2];
    int left = 1;
    unsigned used = 0;

    memset(huffman->count, 0, sizeof huffman->count);
    for (unsigned i = 0; i < n; i++)
        huffman->count[lengths[i]]++;
    used = n - huffman->count[0];
    for (unsigned i = 1; i <= HUFFMAN_BITS; i++) {
        left = left * 2 - huffman->count[i];
        if (left < 0)
            return false;
    }
    offset[1] = 0;
    for (unsigned i = 1; i <= HUFFMAN_BITS; i++)
        offset[i + 1] = (uint16_t) (offset[i] + huffman->count[i]);
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            huffman->symbol[offset[lengths[i]]++] = (uint16_t) i;
    return left == 0 || used <= 1;
}

int huffman_take(struct bits *bits, const struct huffman *huffman)
{
    int code = 0, first = 0, index = 0;

    for (unsigned i = 1; i <= HUFFMAN_BITS; i++) {
        int count = huffman->count[i];

        code |= (int) bits_take(bits, 1);
        if (code - count < first)
            return huffman->symbol[index + (code - first)];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    return -1;
}

static void fixed(struct block *block)
{
    uint8_t lengths[HUFFMAN_SYMBOLS];

    for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_huffman(&block->literals, lengths, HUFFMAN_SYMBOLS);
    memset(lengths, 5, 30);
    make_huffman(&block->distances, lengths, 30);
}

static bool read_lengths(struct bits *bits, const struct huffman *code, uint8_t *lengths,
                         unsigned n)
{
    for (unsigned i = 0; i < n;) {
        int symbol = huffman_take(bits, code);
        uint8_t value = 0;
        unsigned times = 1;

        if (symbol < 0 || bits_left(bits) == 0)
            return false;
        if (symbol < 16) {
            value = (uint8_t) symbol;
        } else if (symbol == 16) {
            if (i == 0)
                return false;
            value = lengths[i - 1];
            times = 3 + bits_take(bits, 2);
        } else {
            times = symbol == 17 ? 3 + bits_take(bits, 3) : 11 + bits_take(bits, 7);
        }
        if (times > n - i)
            return false;
        while (times--)
            lengths[i++] = value;
    }
    return true;
}

static bool dynamic(struct bits *bits, struct block *block)
{
    static const uint8_t order[LENGTH_CODES] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                 11, 4,  12, 3, 13, 2, 14, 1, 15 };
    unsigned n_literals = 257 + bits_take(bits, 5), n_distances = 1 + bits_take(bits, 5);
    unsigned n_codes = 4 + bits_take(bits, 4);
    uint8_t lengths[286 + 30 + 2] = { 0 };
    struct huffman code;

    if (n_literals > 286 || n_distances > 30)
        return false;
    for (unsigned i = 0; i < n_codes; i++)
        lengths[order[i]] = (uint8_t) bits_take(bits, 3);
    if (!make_huffman(&code, lengths, LENGTH_CODES))
        return false;
    memset(lengths, 0, sizeof lengths);
    return read_lengths(bits, &code, lengths, n_literals + n_distances) &&
           lengths[END_OF_BLOCK] != 0 && make_huffman(&block->literals, lengths, n_literals) &&
           make_huffman(&block->distances, lengths + n_literals, n_distances);
}

bool block_read(struct bits *bits, struct block *block)
{
    block->final = bits_take(bits, 1);
    block->type = bits_take(bits, 2);
    switch (block->type) {
    case 0: {
        unsigned length, check;

        bits->at = (bits->at + 7) & ~(size_t) 7;
        length = bits_take(bits, 16);
        check = bits_take(bits, 16);
        block->stored = length;
        return (length ^ 0xffff) == check && bits_left(bits) >= 8;
    }
    case 1:
        fixed(block);
        return bits_left(bits) > 0;
    case 2:
        return dynamic(bits, block) && bits_left(bits) > 0;
    default:
        return false;
    }
}
