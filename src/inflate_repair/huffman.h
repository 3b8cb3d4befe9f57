/* huffman: the blocks of a deflate stream (RFC 1951, 3.2), read bit by bit with patience. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define HUFFMAN_BITS    15
#define HUFFMAN_SYMBOLS 288
#define HUFFMAN_SHORT   8 /* bits of the codes that are found in one step */

struct bits {
    const unsigned char *data;
    size_t n;  /* bytes */
    size_t at; /* bits */
};

struct huffman {
    uint16_t count[HUFFMAN_BITS + 1]; /* codes of each length */
    uint16_t symbol[HUFFMAN_SYMBOLS]; /* in the order of their codes */
    uint16_t
        quick[1U << HUFFMAN_SHORT]; /* by the next bits: symbol * 16 + length of its code, or 0 */
};

struct block {
    bool final;
    unsigned type; /* 0 stored, 1 fixed, 2 dynamic */
    size_t stored; /* bytes, of a stored one */
    struct huffman literals, distances;
};

/* The next n <= 16 bits; past the end they are zero (bits_left tells). */
unsigned bits_take(struct bits *bits, unsigned n);
size_t bits_left(const struct bits *bits);

/* Reads the head of a block. False if that is none: reserved type, a length that is not
 * confirmed, codes that do not fill their space. */
bool block_read(struct bits *bits, struct block *block);
/* The next symbol, or -1 if the bits are no code. */
int huffman_take(struct bits *bits, const struct huffman *huffman);

enum symbol_step {
    SYMBOL_ON,
    SYMBOL_SCAR, /* what stood there means nothing, or reaches to before the beginning */
    SYMBOL_END,  /* of the block */
};

/* Takes one literal or repetition of a block that is not stored, and puts out what it stands for
 * (out may be NULL): blanks for what would lie before the beginning. */
enum symbol_step symbol_step(struct bits *bits, const struct block *block, struct buf *out);
