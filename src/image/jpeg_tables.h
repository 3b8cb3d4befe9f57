/*
 * jpeg_tables: what a baseline JPEG (ITU-T T.81) of one quality is written by: the quantization of
 * Annex K.1, scaled as libjpeg scales it, and the Huffman codes of Annex K.3.
 *
 * Coefficients of a block lie by columns, as the transform leaves them: that of frequency u across
 * and v down is number 8 * u + v.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define JPEG_BLOCK        64   /* samples or coefficients of a block */
#define JPEG_HEADER_BYTES 1024 /* a header is shorter */

enum { JPEG_LUMA, JPEG_CHROMA, JPEG_TABLES };

/* A code, with room for the bits of the value below it, << 5 | the length of both. */
struct jpeg_codes {
    uint32_t dc[12];  /* by the length of the difference */
    uint32_t ac[256]; /* by zeros before << 4 | length of the coefficient */
};

#define JPEG_VALUES 4096 /* those of coefficients and differences, from the middle */

struct jpeg_tables {
    int quality;                            /* 0: not made yet */
    uint8_t quant[JPEG_TABLES][JPEG_BLOCK]; /* in zigzag order */
    /* What a coefficient, as the transform leaves it, is to be multiplied by. */
    _Alignas(16) float scale[JPEG_TABLES][JPEG_BLOCK];
    struct jpeg_codes codes[JPEG_TABLES];
    /* Value + JPEG_VALUES / 2 -> its bits << 4 | how many (F.1.2.1). */
    uint16_t values[JPEG_VALUES];
    uint8_t place[JPEG_BLOCK]; /* in the zigzag -> number of the coefficient */
    /* Coefficients that are not 0, from the order of jpeg_transform to that of the zigzag, by eight
     * bits each. */
    uint64_t zigzag[8][256];
};

/* Of an image: pixels; `components`: 1 or 3, of which the first is sampled so many times as often
 * as the others, both ways. dpi: 0 for not known. */
struct jpeg_shape {
    unsigned width, height;
    unsigned components, sampling;
    unsigned dpi;
};

/* quality: 1 to 100. */
void jpeg_tables_make(struct jpeg_tables *tables, int quality);
/* Up to the first byte of codes; how many bytes. */
size_t jpeg_tables_header(const struct jpeg_tables *tables, const struct jpeg_shape *shape,
                          uint8_t out[JPEG_HEADER_BYTES]);
