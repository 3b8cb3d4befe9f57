/* jpeg_huffman: Huffman tables of JPEG images (ITU-T T.81, annexes C and F), read and written bit
 * by bit at any place, tolerating damage. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define JPEG_CODE_BITS 16 /* limit of the length of a code */
#define JPEG_SHORT     9  /* bits of the codes that are found in one step */

/* Entropy-coded data without the zero bytes that follow 0xff (B.1.1.5). */
struct jpeg_bits {
    const unsigned char *data; /* borrowed */
    size_t n;                  /* bits */
    size_t at;                 /* bits; beyond n after a read past the end */
};

struct jpeg_huffman {
    bool there;                               /* the image has this table */
    unsigned char counts[JPEG_CODE_BITS + 1]; /* codes of each length */
    unsigned char values[256];                /* in the order of their codes */
    uint16_t quick[1U << JPEG_SHORT];         /* by the next bits: value * 16 + length, or 0 */
    int32_t last[JPEG_CODE_BITS + 2];         /* the greatest code of each length, -1: none */
    int32_t offset[JPEG_CODE_BITS + 1];       /* from a code of that length to its value */
    uint16_t code[256];                       /* by value */
    unsigned char size[256];                  /* bits of the code by value, 0: it has none */
};

/* Prepares a table from `counts` (of lengths 1 to 16) and its values. False if there are no
 * codes, or more of a length than are possible. */
bool jpeg_huffman_make(struct jpeg_huffman *table, const unsigned char *counts,
                       const unsigned char *values);
/* The next 16 bits, ones past the end, as the padding is. */
unsigned jpeg_bits_peek(const struct jpeg_bits *bits);
/* The value of the next code, or -1 if the bits are not a code. */
int jpeg_huffman_read(struct jpeg_bits *bits, const struct jpeg_huffman *table);
/* Reads a number of `size` bits, at most 16, that is negative if its first bit is 0 (F.2.2.1). */
int jpeg_bits_signed(struct jpeg_bits *bits, unsigned size);

/* Writes bits, with a zero byte after each 0xff. */
struct jpeg_writer {
    struct buf *out;
    uint32_t bits;
    unsigned n; /* bits that wait in `bits`, fewer than 8 */
};

/* Writes the n lowest bits of `value`, the highest of them first; n <= 16. */
void jpeg_write_bits(struct jpeg_writer *writer, unsigned value, unsigned n);
/* Writes the bits from `from` up to `to` of the data. */
void jpeg_write_range(struct jpeg_writer *writer, const unsigned char *data, size_t from,
                      size_t to);
/* Fills the last byte with ones. */
void jpeg_write_padding(struct jpeg_writer *writer);
