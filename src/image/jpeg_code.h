/*
 * jpeg_code: coefficients of blocks as the bits of a baseline JPEG (ITU-T T.81, F.1.2). Bits go
 * into memory that the caller gives room in: JPEG_CODE_BYTES for each block, and as many at the
 * end. Bytes of 255 are there what they are: jpeg_code_stuff is what makes a JPEG of them.
 */
#pragma once

#include <endian.h>

#include "image/jpeg_tables.h"

/* 64 coefficients of at most 26 bits, and a word. */
#define JPEG_CODE_BYTES (JPEG_BLOCK * 26 / 8 + 16)

struct jpeg_bits {
    uint8_t *at;   /* where the next bytes go; eight from there on may be written */
    uint64_t word; /* its n highest bits, fewer than 8, are still to be written */
    unsigned n;
};

/* Up to 56 bits; those above are 0. Without a branch, which would be a surprise most of the time.
 */
static inline void jpeg_bits_put(struct jpeg_bits *bits, uint64_t value, unsigned n)
{
    uint64_t word = bits->word | value << (64 - bits->n - n), out = htobe64(word);

    __builtin_memcpy(bits->at, &out, sizeof out);
    n += bits->n;
    bits->at += n / 8;
    bits->word = word << (n & 56U);
    bits->n = n % 8;
}

/* The last byte is filled up with ones. */
void jpeg_bits_end(struct jpeg_bits *bits);

/* The average brightness or colour, by what it is more than that of the block before. */
void jpeg_code_dc(struct jpeg_bits *bits, const struct jpeg_tables *tables, int table,
                  int difference);
/* The rest. `present`: which of them, in zigzag order, are not 0. */
void jpeg_code_ac(struct jpeg_bits *bits, const struct jpeg_tables *tables, int table,
                  const int coefficients[JPEG_BLOCK], uint64_t present);

/* Copies n bytes, with a 0 after each of 255, as it would be a marker (B.1.1.5); `to` has room for
 * twice as many. Where they end. */
uint8_t *jpeg_code_stuff(uint8_t *restrict to, const uint8_t *restrict from, size_t n);
