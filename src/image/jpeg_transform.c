#include "image/jpeg_transform.h"

#include <string.h>

#define LANES ((size_t) 4)

typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));

/* The way of Arai, Agui and Nakajima ("A fast DCT-SQ scheme for images", 1988), down columns. Each
 * frequency is too large by what jpeg_tables.c makes up for. */
static inline __attribute__((always_inline)) void columns(floats d[8])
{
    const float half = 0.70710678118654752F; /* cos(4 * pi / 16) */
    floats sum0 = d[0] + d[7], sum1 = d[1] + d[6], sum2 = d[2] + d[5], sum3 = d[3] + d[4];
    floats less0 = d[0] - d[7], less1 = d[1] - d[6], less2 = d[2] - d[5], less3 = d[3] - d[4];
    floats even = sum0 + sum3, odd = sum0 - sum3, between = sum1 + sum2;
    floats turned = (sum1 - sum2 + odd) * half;
    floats a = less3 + less2, b = less2 + less1, c = less1 + less0, common, low, high;

    d[0] = even + between;
    d[4] = even - between;
    d[2] = odd + turned;
    d[6] = odd - turned;
    common = (a - c) * 0.38268343236508977F; /* sin(2 * pi / 16) */
    a = a * 0.54119610014619698F + common;   /* cos - sin of that */
    c = c * 1.3065629648763766F + common;    /* cos + sin */
    b *= half;
    high = less0 + b;
    low = less0 - b;
    d[5] = low + a;
    d[3] = low - a;
    d[1] = high + c;
    d[7] = high - c;
}

/* Four rows of four turned to columns. */
static inline __attribute__((always_inline)) void turn(const floats *from, floats *to)
{
    floats a = __builtin_shufflevector(from[0], from[1], 0, 4, 1, 5);
    floats b = __builtin_shufflevector(from[2], from[3], 0, 4, 1, 5);
    floats c = __builtin_shufflevector(from[0], from[1], 2, 6, 3, 7);
    floats d = __builtin_shufflevector(from[2], from[3], 2, 6, 3, 7);

    to[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    to[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    to[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    to[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/* To the nearest whole number, as its lowest bits are at the end of the float that is added. */
static inline ints nearest(floats all)
{
    const float whole = 12582912; /* 2^23 + 2^22 */
    floats sum = all + whole;
    ints bits;

    memcpy(&bits, &sum, sizeof bits);
    return bits - 0x4b400000;
}

static inline floats load(const float *from)
{
    floats all;

    memcpy(&all, from, sizeof all);
    return all;
}

uint64_t jpeg_transform(const struct jpeg_tables *tables, int table,
                        const float samples[JPEG_BLOCK], float middle, int coefficients[JPEG_BLOCK])
{
    const float *scale = tables->scale[table];
    floats halves[2][8], turned[2][8];
    ints present = { 0 }, bit = { 1, 1, 1, 1 };
    unsigned lanes[LANES];
    uint64_t bits, zigzag = 0;

    for (size_t half = 0; half < 2; half++) {
        for (size_t i = 0; i < 8; i++)
            halves[half][i] = load(samples + 8 * i + LANES * half);
        columns(halves[half]);
    }
    for (size_t half = 0; half < 2; half++) {
        turn(halves[0] + LANES * half, turned[half]);
        turn(halves[1] + LANES * half, turned[half] + LANES);
        columns(turned[half]);
    }
    turned[0][0][0] -= JPEG_BLOCK * middle;
    for (size_t i = 0; i < 16; i++) {
        ints all = nearest(turned[i % 2][i / 2] * load(scale + LANES * i));

        memcpy(coefficients + LANES * i, &all, sizeof all);
        present |= (all != 0) & bit;
        bit += bit;
    }
    memcpy(lanes, &present, sizeof lanes);
    bits = lanes[0] | (uint64_t) lanes[1] << 16 | (uint64_t) lanes[2] << 32 |
           (uint64_t) lanes[3] << 48;
    for (int i = 0; bits; i++, bits >>= 8)
        zigzag |= tables->zigzag[i][bits & 255];
    return zigzag;
}
