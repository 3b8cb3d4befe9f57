#include "recovery/inflate_repair/huffman.h"

#include <endian.h>
#include <string.h>

#define LENGTH_CODES    19
#define END_OF_BLOCK    256
#define FIXED_DISTANCES 32 /* codes; the last two never occur (RFC 1951, 3.2.6) */

/* The next bits, at least 25 of them, the first in the lowest place. */
static uint32_t peek(const struct bits *bits)
{
    size_t byte = bits->at >> 3;
    uint32_t value = 0;

    if (bits->n >= 4 && byte <= bits->n - 4) {
        memcpy(&value, bits->data + byte, 4);
        value = le32toh(value);
    } else {
        for (size_t i = 0; i < 4 && byte + i < bits->n; i++)
            value |= (uint32_t) bits->data[byte + i] << 8 * i;
    }
    return value >> (bits->at & 7);
}

unsigned huffman_read_bits(struct bits *bits, unsigned n)
{
    uint32_t value = peek(bits);

    bits->at += n;
    return value & ((1U << n) - 1);
}

size_t huffman_bits_left(const struct bits *bits)
{
    return bits->at >= bits->n * 8 ? 0 : bits->n * 8 - bits->at;
}

/* Writes the short codes into the table: the bits of a code come with its highest one first. */
static void fill_quick(struct huffman *huffman)
{
    unsigned code = 0, index = 0;

    memset(huffman->quick, 0, sizeof huffman->quick);
    for (unsigned length = 1; length <= HUFFMAN_SHORT; length++) {
        for (unsigned i = 0; i < huffman->count[length]; i++, code++) {
            unsigned reversed = 0;

            for (unsigned bit = 0; bit < length; bit++)
                reversed |= (code >> bit & 1) << (length - 1 - bit);
            for (; reversed < 1U << HUFFMAN_SHORT; reversed += 1U << length)
                huffman->quick[reversed] =
                    (uint16_t) ((unsigned) huffman->symbol[index + i] << 4 | length);
        }
        index += huffman->count[length];
        code <<= 1;
    }
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
    if (left != 0 && used > 1)
        return false;
    offset[1] = 0;
    for (unsigned i = 1; i <= HUFFMAN_BITS; i++)
        offset[i + 1] = (uint16_t) (offset[i] + huffman->count[i]);
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            huffman->symbol[offset[lengths[i]]++] = (uint16_t) i;
    fill_quick(huffman);
    return true;
}

int huffman_read(struct bits *bits, const struct huffman *huffman)
{
    uint32_t next = peek(bits);
    uint16_t quick = huffman->quick[next & ((1U << HUFFMAN_SHORT) - 1)];
    int code = 0, first = 0, index = 0;

    if (quick) {
        bits->at += quick & 15;
        return quick >> 4;
    }
    for (unsigned i = 1; i <= HUFFMAN_BITS; i++, next >>= 1) {
        int count = huffman->count[i];

        code |= (int) (next & 1);
        if (code - count < first) {
            bits->at += i;
            return huffman->symbol[index + (code - first)];
        }
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    bits->at += HUFFMAN_BITS;
    return -1;
}

static void fixed(struct block *block)
{
    uint8_t lengths[HUFFMAN_SYMBOLS];

    for (unsigned i = 0; i < HUFFMAN_SYMBOLS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_huffman(&block->literals, lengths, HUFFMAN_SYMBOLS);
    memset(lengths, 5, FIXED_DISTANCES);
    make_huffman(&block->distances, lengths, FIXED_DISTANCES);
}

static bool read_lengths(struct bits *bits, const struct huffman *code, uint8_t *lengths,
                         unsigned n)
{
    for (unsigned i = 0; i < n;) {
        int symbol = huffman_read(bits, code);
        uint8_t value = 0;
        unsigned times = 1;

        if (symbol < 0 || huffman_bits_left(bits) == 0)
            return false;
        if (symbol < 16) {
            value = (uint8_t) symbol;
        } else if (symbol == 16) {
            if (i == 0)
                return false;
            value = lengths[i - 1];
            times = 3 + huffman_read_bits(bits, 2);
        } else {
            times = symbol == 17 ? 3 + huffman_read_bits(bits, 3) : 11 + huffman_read_bits(bits, 7);
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
    unsigned n_literals = 257 + huffman_read_bits(bits, 5),
             n_distances = 1 + huffman_read_bits(bits, 5);
    unsigned n_codes = 4 + huffman_read_bits(bits, 4);
    uint8_t lengths[286 + 30 + 2] = { 0 };
    struct huffman code;

    if (n_literals > 286 || n_distances > 30)
        return false;
    for (unsigned i = 0; i < n_codes; i++)
        lengths[order[i]] = (uint8_t) huffman_read_bits(bits, 3);
    if (!make_huffman(&code, lengths, LENGTH_CODES))
        return false;
    memset(lengths, 0, sizeof lengths);
    return read_lengths(bits, &code, lengths, n_literals + n_distances) &&
           lengths[END_OF_BLOCK] != 0 && make_huffman(&block->literals, lengths, n_literals) &&
           make_huffman(&block->distances, lengths + n_literals, n_distances);
}

bool huffman_read_block(struct bits *bits, struct block *block)
{
    block->final = huffman_read_bits(bits, 1);
    block->type = huffman_read_bits(bits, 2);
    switch (block->type) {
    case 0: {
        unsigned length, check;

        bits->at = (bits->at + 7) & ~(size_t) 7;
        length = huffman_read_bits(bits, 16);
        check = huffman_read_bits(bits, 16);
        block->stored = length;
        return (length ^ 0xffff) == check && huffman_bits_left(bits) >= 8;
    }
    case 1:
        fixed(block);
        return huffman_bits_left(bits) > 0;
    case 2:
        return dynamic(bits, block) && huffman_bits_left(bits) > 0;
    default:
        return false;
    }
}
