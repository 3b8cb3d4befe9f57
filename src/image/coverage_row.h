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
    uint32_t *bounds; /* in each pixel: how many lines more, and of how many steps from its left */
    uint8_t *covered;
    size_t cap;
    int low, high; /* pixels that changed: from, to */
};

/* Makes it one of so many pixels, with nothing in it. False: there is no memory. */
bool coverage_row_begin(struct coverage_row *row, size_t pixels);
void coverage_row_free(struct coverage_row *row);

/* x of one edge on some lines, up to COVERAGE_DOWN: x[0], x[stride] and so on, which go one way. */
struct coverage_bound {
    const int *x;
    size_t stride;
    int lines;
};

/* Both in one number, so that one addition does: lines below, steps above. Either may be less than
 * 0, and be a loan of the other's. */
static inline uint32_t coverage_pair_of(int lines, int steps)
{
    return (uint32_t) lines + ((uint32_t) steps << 16);
}

static inline int coverage_lines_of(uint32_t pair)
{
    return (int16_t) pair;
}

static inline int coverage_steps_of(uint32_t pair)
{
    return (int16_t) ((pair - (uint32_t) coverage_lines_of(pair)) >> 16);
}

static inline unsigned coverage_pixel_of(int x)
{
    return (unsigned) x / COVERAGE_ACROSS;
}

static inline void coverage_row_reach(struct coverage_row *row, const struct coverage_bound *from,
                                      const struct coverage_bound *to)
{
    size_t last = (size_t) (from->lines - 1);
    int a = from->x[0], b = from->x[last * from->stride], c = to->x[0],
        d = to->x[last * to->stride];
    int low = (int) coverage_pixel_of(a < b ? a : b),
        high = (int) coverage_pixel_of(c > d ? c : d) + 1;

    row->low = low < row->low ? low : row->low;
    row->high = high > row->high ? high : row->high;
}

static inline void coverage_row_bound(struct coverage_row *row, const struct coverage_bound *bound,
                                      int sign)
{
    const int *x = bound->x;
    size_t stride = bound->stride;
    int lines = bound->lines;
    unsigned first = coverage_pixel_of(x[0]),
             last = coverage_pixel_of(x[(size_t) (lines - 1) * stride]);

    if (first == last) {
        int steps = -lines * (int) first * COVERAGE_ACROSS;

        for (int i = 0; i < lines; i++, x += stride)
            steps += *x;
        row->bounds[first] += coverage_pair_of(sign * lines, sign * steps);
        return;
    }
    for (int i = 0; i < lines; i++, x += stride) {
        unsigned pixel = coverage_pixel_of(*x);

        row->bounds[pixel] += coverage_pair_of(sign, sign * (*x - (int) pixel * COVERAGE_ACROSS));
    }
}

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
