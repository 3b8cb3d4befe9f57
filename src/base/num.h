/* num: text to numbers within limits, arithmetic on sizes from outside that reports overflow, and
 * an order of numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the whole of text (n bytes, no NUL needed), a decimal integer between min and max: no
 * blanks, no '+', at most a leading '-'. False for anything else; *out is then unchanged. */
bool num_parse_i64(const char *text, size_t n, int64_t min, int64_t max, int64_t *out);
/* The same for a decimal fraction such as "0.25", "-3", "1e-3"; never "nan", "inf" or hex. */
bool num_parse_double(const char *text, size_t n, double min, double max, double *out);

/* The value of a hex digit of either case; -1 for any other character. */
static inline int num_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Add and multiply. False when the result does not fit; *out is then undefined. */
static inline bool num_add(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}
static inline bool num_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

/* Compares two floats, for qsort in ascending order. */
static inline int num_compare_floats(const void *a, const void *b)
{
    float x = *(const float *) a, y = *(const float *) b;

    return (x > y) - (x < y);
}
