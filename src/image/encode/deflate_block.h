/*
 * deflate_block: collects the literals and matches of one deflate block (RFC 1951, 3.2.3) and
 * writes it with Huffman codes made for it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define DEFLATE_BLOCK_TOKENS 16384U /* limit of the literals and matches of a block */
#define DEFLATE_LITLEN       286    /* number of literal and length symbols */
#define DEFLATE_DISTS        30     /* number of distance symbols */

/* The codes of lengths 3 to 258 and of distances, by offset: see deflate_block.c. */
extern const uint8_t deflate_length_code[256];
extern const uint8_t deflate_dist_code[512];

struct deflate_block {
    uint64_t bits; /* bits that do not fill a byte yet, the next one lowest */
    unsigned n_bits;
    uint32_t n;
    /* a literal byte, or length << 16 | distance */
    uint32_t tokens[DEFLATE_BLOCK_TOKENS];
    uint32_t litlen[DEFLATE_LITLEN], dist[DEFLATE_DISTS]; /* frequencies of the symbols */
};

/* Begins a stream; pending bits of an earlier one are dropped. */
void deflate_block_begin(struct deflate_block *block);
static inline bool deflate_block_full(const struct deflate_block *block, uint32_t more)
{
    return block->n + more > DEFLATE_BLOCK_TOKENS;
}
/* Whether the block has no room for `more` literals and matches. */
/* Adds a literal byte. The block must have room. */
static inline void deflate_block_literal(struct deflate_block *block, uint8_t byte)
{
    block->tokens[block->n++] = byte;
    block->litlen[byte]++;
}
/* The symbol of a distance, 1 to 32768. */
static inline uint32_t deflate_dist_symbol(uint32_t dist)
{
    return deflate_dist_code[dist <= 256 ? dist - 1 : 256 + ((dist - 1) >> 7)];
}
/* Adds a match of 3 to 258 bytes, at a distance of 1 to 32768 bytes. The block must have room. */
static inline void deflate_block_match(struct deflate_block *block, uint32_t length, uint32_t dist)
{
    block->tokens[block->n++] = length << 16 | dist;
    block->litlen[257 + deflate_length_code[length - 3]]++;
    block->dist[deflate_dist_symbol(dist)]++;
}
/* Writes and empties the block. The last block's final byte is padded with zeros. */
void deflate_block_write(struct deflate_block *block, bool last, struct buf *out);
/* Aligns to a byte after a block that is not the last one. */
void deflate_block_align(struct deflate_block *block, struct buf *out);
