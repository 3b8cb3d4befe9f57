/* huffman: reads the blocks of a deflate stream (RFC 1951, 3.2) bit by bit, tolerating damage. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define HUFFMAN_BITS    15  /* limit of the length of a code */
#define HUFFMAN_SYMBOLS 288 /* limit of the symbols of a code */
#define HUFFMAN_SHORT   8   /* bits of the codes that are found in one step */

struct bits {
    const unsigned char *data;
    size_t n;  /* length in bytes */
    size_t at; /* position in bits */
};

struct huffman {
    uint16_t count[HUFFMAN_BITS + 1]; /* codes of each length */
    uint16_t symbol[HUFFMAN_SYMBOLS]; /* in the order of their codes */
    /* by the next HUFFMAN_SHORT bits: symbol * 16 + length of its code; 0: the code is longer */
    uint16_t quick[1U << HUFFMAN_SHORT];
};

struct block {
    bool final;
    unsigned type; /* 0 stored, 1 fixed, 2 dynamic */
    size_t stored; /* length in bytes of a stored block */
    struct huffman literals, distances;
};

/* Reads the next n <= 16 bits; past the end they are zero (see huffman_bits_left). */
unsigned huffman_read_bits(struct bits *bits, unsigned n);
/* The number of bits before the end of the data; 0 past it. */
size_t huffman_bits_left(const struct bits *bits);

/* Reads the header of a block. False if it is invalid: reserved type, a length whose complement
 * differs, incomplete codes. */
bool huffman_read_block(struct bits *bits, struct block *block);
/* Reads the next symbol; -1 if the bits are not a code. */
int huffman_read(struct bits *bits, const struct huffman *huffman);

enum symbol_step {
    SYMBOL_ON,   /* a literal or match was read: the block continues */
    SYMBOL_SCAR, /* an invalid code, or a distance beyond the beginning */
    SYMBOL_END,  /* the end of the block */
};

/* Reads one literal or match of a block that is not stored, and appends its bytes to `out`
 * (which may be NULL): blanks for those before the beginning. */
enum symbol_step symbol_step(struct bits *bits, const struct block *block, struct buf *out);
