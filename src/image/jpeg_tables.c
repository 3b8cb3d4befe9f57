#include "image/jpeg_tables.h"

#include <stdbool.h>
#include <string.h>

#define ACROSS 8

/* What goes beyond black or white is cut off when it is read: a trace too much of each frequency is
 * nearer to sharp letters than a trace too little. */
#define OVERSHOOT 1.0005

/* Annex K.1, rows from the top. */
static const uint8_t standard[JPEG_TABLES][JPEG_BLOCK] = {
    { 16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
      14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
      18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
      49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99 },
    { 17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
      99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99 },
};

/* Annex K.3: how many codes there are of each length from 1 on, and what they stand for. */
struct standard_codes {
    uint8_t many[16];
    uint8_t values[162];
};

static const struct standard_codes standard_dc[JPEG_TABLES] = {
    { { 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0 },
      { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } },
    { { 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0 },
      { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } },
};

static const struct standard_codes standard_ac[JPEG_TABLES] = {
    { { 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125 },
      { 0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
        0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
        0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
        0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
        0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
        0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
        0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
        0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
        0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
        0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
        0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa } },
    { { 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119 },
      { 0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
        0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33,
        0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18,
        0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44,
        0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63,
        0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
        0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
        0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4,
        0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca,
        0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7,
        0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa } },
};

/* Figure A.6, by going along it: row * 8 + column of each in turn. */
static void walk_zigzag(uint8_t natural[JPEG_BLOCK])
{
    int x = 0, y = 0;

    for (int i = 0; i < JPEG_BLOCK; i++) {
        bool up = (x + y) % 2 == 0;

        natural[i] = (uint8_t) (y * ACROSS + x);
        if (up ? x == ACROSS - 1 : x == 0 && y < ACROSS - 1) {
            y++; /* along an edge, */
        } else if (up ? y == 0 : y == ACROSS - 1) {
            x++;
        } else { /* or across */
            x += up ? 1 : -1;
            y += up ? -1 : 1;
        }
    }
}

static unsigned number_of(unsigned natural)
{
    return natural % ACROSS * ACROSS + natural / ACROSS;
}

/* jpeg_transform tells coefficient n by bit 16 * (n modulo 4) + n / 4. */
static void make_zigzag(struct jpeg_tables *tables)
{
    for (unsigned i = 0; i < JPEG_BLOCK; i++) {
        unsigned bit = 16U * (tables->place[i] % 4U) + tables->place[i] / 4U;

        for (unsigned byte = 0; byte < 256; byte++)
            if (byte >> bit % 8 & 1)
                tables->zigzag[bit / 8][byte] |= UINT64_C(1) << i;
    }
}

static void make_quant(struct jpeg_tables *tables, const uint8_t natural[JPEG_BLOCK])
{
    /* By how much the transform leaves a frequency too large, besides 8 in all (Arai, Agui and
     * Nakajima, 1988): 1, then sqrt(2) * cos(k * pi / 16). */
    static const double large[ACROSS] = {
        1, 1.3870398453221475, 1.3065629648763766, 1.1758756024193588,
        1, 0.7856949583871022, 0.5411961001461971, 0.2758993792829431
    };
    int quality = tables->quality;
    unsigned percent = (unsigned) (quality < 50 ? 5000 / quality : 200 - 2 * quality);

    for (int t = 0; t < JPEG_TABLES; t++)
        for (unsigned i = 0; i < JPEG_BLOCK; i++) {
            unsigned at = natural[i], step = (standard[t][at] * percent + 50) / 100;

            step = step < 1 ? 1 : step > 255 ? 255 : step;
            tables->quant[t][i] = (uint8_t) step;
            tables->scale[t][number_of(at)] =
                (float) (OVERSHOOT / (8 * step * large[at / ACROSS] * large[at % ACROSS]));
        }
}

/* Of a value below 0, the bits of one less. */
static void make_values(struct jpeg_tables *tables)
{
    for (int value = -JPEG_VALUES / 2 + 1; value < JPEG_VALUES / 2; value++) {
        unsigned size = (unsigned) (value < 0 ? -value : value), length = 0;
        unsigned bits = (unsigned) (value < 0 ? value - 1 : value);

        while (size >> length)
            length++;
        bits &= (1U << length) - 1;
        tables->values[value + JPEG_VALUES / 2] = (uint16_t) (bits << 4 | length);
    }
}

/* Annex C: codes of one length follow on each other. */
static void make_codes(const struct standard_codes *standard_code, uint32_t *codes)
{
    uint32_t code = 0;
    unsigned at = 0;

    for (unsigned length = 1; length <= 16; length++, code <<= 1)
        for (unsigned i = 0; i < standard_code->many[length - 1]; i++) {
            unsigned value = standard_code->values[at++], below = value & 15;

            codes[value] = code++ << below << 5 | (length + below);
        }
}

void jpeg_tables_make(struct jpeg_tables *tables, int quality)
{
    uint8_t natural[JPEG_BLOCK];

    if (tables->quality == quality)
        return;
    memset(tables, 0, sizeof *tables);
    tables->quality = quality;
    walk_zigzag(natural);
    for (int i = 0; i < JPEG_BLOCK; i++)
        tables->place[i] = (uint8_t) number_of(natural[i]);
    make_zigzag(tables);
    make_quant(tables, natural);
    make_values(tables);
    for (int t = 0; t < JPEG_TABLES; t++) {
        make_codes(&standard_dc[t], tables->codes[t].dc);
        make_codes(&standard_ac[t], tables->codes[t].ac);
    }
}

static uint8_t *put_word(uint8_t *out, unsigned word)
{
    out[0] = (uint8_t) (word >> 8);
    out[1] = (uint8_t) word;
    return out + 2;
}

static uint8_t *put_bytes(uint8_t *out, const void *bytes, size_t n)
{
    memcpy(out, bytes, n);
    return out + n;
}

/* A marker and the length of what follows (B.1.1.4). */
static uint8_t *put_marker(uint8_t *out, unsigned marker, size_t n)
{
    return put_word(put_word(out, marker), (unsigned) n + 2);
}

/* JFIF 1.01: pixels an inch, or no more than that they are square. */
static uint8_t *put_jfif(uint8_t *out, unsigned dpi)
{
    out = put_bytes(put_marker(out, 0xffe0, 14), "JFIF\0\1\1", 7);
    *out++ = dpi ? 1 : 0;
    out = put_word(put_word(out, dpi ? dpi : 1), dpi ? dpi : 1);
    return put_word(out, 0); /* no thumbnail */
}

static uint8_t *put_frame(uint8_t *out, const struct jpeg_shape *shape)
{
    unsigned n = shape->components;

    out = put_marker(out, 0xffc0, 6 + 3 * n);
    *out++ = 8; /* bits a sample */
    out = put_word(put_word(out, shape->height), shape->width);
    *out++ = (uint8_t) n;
    for (unsigned i = 0; i < n; i++) {
        *out++ = (uint8_t) (i + 1);
        *out++ = (uint8_t) (i == 0 ? shape->sampling << 4 | shape->sampling : 0x11);
        *out++ = i == 0 ? JPEG_LUMA : JPEG_CHROMA;
    }
    return out;
}

static uint8_t *put_codes(uint8_t *out, unsigned place, const struct standard_codes *codes)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof codes->many; i++)
        n += codes->many[i];
    out = put_marker(out, 0xffc4, 17 + n);
    *out++ = (uint8_t) place;
    return put_bytes(put_bytes(out, codes->many, sizeof codes->many), codes->values, n);
}

static uint8_t *put_scan(uint8_t *out, unsigned components)
{
    out = put_marker(out, 0xffda, 4 + 2 * components);
    *out++ = (uint8_t) components;
    for (unsigned i = 0; i < components; i++) {
        *out++ = (uint8_t) (i + 1);
        *out++ = i == 0 ? JPEG_LUMA << 4 | JPEG_LUMA : JPEG_CHROMA << 4 | JPEG_CHROMA;
    }
    return put_bytes(out, "\0\77", 3); /* all coefficients, at once */
}

size_t jpeg_tables_header(const struct jpeg_tables *tables, const struct jpeg_shape *shape,
                          uint8_t out[JPEG_HEADER_BYTES])
{
    unsigned n = shape->components == 1 ? 1 : JPEG_TABLES;
    uint8_t *at = put_jfif(put_word(out, 0xffd8), shape->dpi);

    for (unsigned t = 0; t < n; t++) {
        at = put_marker(at, 0xffdb, 1 + JPEG_BLOCK);
        *at++ = (uint8_t) t;
        at = put_bytes(at, tables->quant[t], JPEG_BLOCK);
    }
    at = put_frame(at, shape);
    for (unsigned t = 0; t < n; t++) {
        at = put_codes(at, t, &standard_dc[t]);
        at = put_codes(at, 0x10 | t, &standard_ac[t]);
    }
    return (size_t) (put_scan(at, shape->components) - out);
}
