/*
 * coverage_row: how much of each pixel of one row is covered, put together from the lines that
 * bound what is. Where they are is told in steps, COVERAGE_ACROSS a pixel, from the left end of the
 * row.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COVERAGE_ACROSS 17 /* steps of x a pixel */
#define COVERAGE_DOWN   15 /* lines a pixel */

struct coverage_row {
    int16_t *changes; /* from pixel to pixel */
    uint8_t *covered;
    size_t cap;
    int low, high; /* pixels that changed: from, to */
};

/* Makes it one of so many pixels, with nothing in it. False: there is no memory. */
bool coverage_row_begin(struct coverage_row *row, size_t pixels);
void coverage_row_free(struct coverage_row *row);

/* On so many of its lines, up to COVERAGE_DOWN, what is right of x is covered, or, with sign -1, is
 * not. From line to line x goes one way; it is told from `left`. */
void coverage_row_bound(struct coverage_row *row, const int *x, int left, int lines, int sign);

static inline bool coverage_row_is_empty(const struct coverage_row *row)
{
    return row->low >= row->high;
}

/* What is covered of pixel i, low <= i < high, is then covered[i]; the row is empty again but for
 * that, and for low and high. */
void coverage_row_sum(struct coverage_row *row);

static inline void coverage_row_clear(struct coverage_row *row)
{
    row->low = INT_MAX;
    row->high = 0;
}
