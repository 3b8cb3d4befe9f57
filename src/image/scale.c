#include "image/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define ONE 256 /* the sum of all weights of a pixel */

/* Of which old pixels a new one is made. */
struct taps {
    uint32_t first;
    const uint16_t *weights; /* as many as all have */
};

struct side {
    struct taps *taps; /* of the new pixels that are wanted */
    uint16_t *weights;
    size_t n_weights; /* of each; those that are not needed are 0 */
};

static void free_side(struct side *side)
{
    free(side->taps);
    free(side->weights);
}
#define AUTO_SIDE __attribute__((cleanup(free_side)))

static float weight_at(float distance)
{
    float d = fabsf(distance);

    return d >= 1 ? 0 : 1 + (2 * d - 3) * d * d;
}

/* The weights of one new pixel: whole numbers, the sum is ONE however many they are. */
static void weigh(const struct scale_side *how, size_t pixel, size_t n, struct taps *taps,
                  uint16_t *weights)
{
    float ratio = (float) how->from / (float) how->to, reach = ratio > 1 ? ratio : 1;
    float centre = ((float) pixel + 0.5F) * ratio - 0.5F, from = ceilf(centre - reach);
    float share = ratio > 1 ? ONE / ratio : ONE, seen = 0;
    long first = from < 0 ? 0 : (long) from, given = 0;
    size_t heaviest = 0;

    if (first + (long) n > (long) how->from)
        first = (long) (how->from - n);
    for (size_t i = 0; i < n; i++) {
        long due;

        seen += share * weight_at(((float) first + (float) i - centre) / reach);
        due = seen < ONE ? (long) (seen + 0.5F) : ONE;
        weights[i] = (uint16_t) (due - given);
        given = due;
        if (weights[i] > weights[heaviest])
            heaviest = i;
    }
    weights[heaviest] = (uint16_t) (weights[heaviest] + ONE - given);
    taps->first = (uint32_t) first;
    taps->weights = weights;
}

static bool open_side(struct side *side, const struct scale_side *how)
{
    size_t n = how->last - how->first;
    double ratio = (double) how->from / (double) how->to;

    side->n_weights = ratio > 1 ? (size_t) ceil(2 * ratio) : 2;
    if (side->n_weights > how->from)
        side->n_weights = how->from;
    side->taps = calloc(n, sizeof *side->taps);
    side->weights = calloc(n * side->n_weights, sizeof *side->weights);
    if (!side->taps || !side->weights)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t pixel = how->first + i;

        weigh(how, how->flip ? how->to - 1 - pixel : pixel, side->n_weights, &side->taps[i],
              side->weights + i * side->n_weights);
    }
    return true;
}

/* Up to four rows added up. In 16 bits, so that compilers make vectors of it. */
static inline __attribute__((always_inline)) void add_rows(const uint8_t *restrict rows,
                                                           size_t stride, const uint16_t *weights,
                                                           size_t n_weights,
                                                           uint16_t *restrict sums, size_t n)
{
    const uint16_t a = weights[0], b = n_weights > 1 ? weights[1] : 0;
    const uint16_t c = n_weights > 2 ? weights[2] : 0, d = n_weights > 3 ? weights[3] : 0;
    const uint8_t *restrict second = rows + stride, *restrict third = rows + 2 * stride;
    const uint8_t *restrict fourth = rows + 3 * stride;

    for (size_t x = 0; x < n; x++) {
        uint16_t sum = (uint16_t) (sums[x] + rows[x] * a);

        if (n_weights > 1)
            sum = (uint16_t) (sum + second[x] * b);
        if (n_weights > 2)
            sum = (uint16_t) (sum + third[x] * c);
        if (n_weights > 3)
            sum = (uint16_t) (sum + fourth[x] * d);
        sums[x] = sum;
    }
}

/* Several rows as one, by their weights. */
static void sum_rows(const uint8_t *rows, size_t stride, const struct taps *taps, size_t n_weights,
                     uint16_t *restrict sums, uint8_t *restrict to, size_t n)
{
    const uint8_t *row = rows + taps->first * stride;

    for (size_t x = 0; x < n; x++)
        sums[x] = ONE / 2;
    for (size_t i = 0; i < n_weights; i += 4, row += 4 * stride) {
        const uint16_t *weights = taps->weights + i;

        if (n_weights - i >= 4)
            add_rows(row, stride, weights, 4, sums, n);
        else if (n_weights - i == 3)
            add_rows(row, stride, weights, 3, sums, n);
        else if (n_weights - i == 2)
            add_rows(row, stride, weights, 2, sums, n);
        else
            add_rows(row, stride, weights, 1, sums, n);
    }
    for (size_t x = 0; x < n; x++)
        to[x] = (uint8_t) (sums[x] >> 8);
}

/* One row: `n` is a constant where this is called, and so is n_weights where it is usual. */
static inline __attribute__((always_inline)) void sum_columns(const uint8_t *restrict row,
                                                              const struct side *side, size_t count,
                                                              uint8_t *restrict to, size_t n,
                                                              size_t n_weights)
{
    const uint16_t *weights = side->weights;

    for (size_t x = 0; x < count; x++, to += n, weights += n_weights) {
        const uint8_t *p = row + side->taps[x].first * n;
        uint32_t sums[4] = { ONE / 2, ONE / 2, ONE / 2, ONE / 2 };

        for (size_t i = 0; i < n_weights; i++, p += n)
            for (size_t k = 0; k < n; k++)
                sums[k] += (uint32_t) p[k] * weights[i];
        for (size_t k = 0; k < n; k++)
            to[k] = (uint8_t) (sums[k] >> 8);
    }
}

static inline __attribute__((always_inline)) void
scale_columns(const uint8_t *row, const struct side *side, size_t count, uint8_t *to, size_t n)
{
    switch (side->n_weights) {
    case 2:
        sum_columns(row, side, count, to, n, 2);
        break;
    case 3:
        sum_columns(row, side, count, to, n, 3);
        break;
    case 4:
        sum_columns(row, side, count, to, n, 4);
        break;
    default:
        sum_columns(row, side, count, to, n, side->n_weights);
    }
}

static void scale_row(const uint8_t *row, const struct side *side, size_t count, uint8_t *to,
                      size_t n)
{
    switch (n) {
    case 1:
        scale_columns(row, side, count, to, 1);
        break;
    case 2:
        scale_columns(row, side, count, to, 2);
        break;
    case 3:
        scale_columns(row, side, count, to, 3);
        break;
    default:
        scale_columns(row, side, count, to, 4);
    }
}

/* Rows are put together first, as whole ones are quick to add up, then the columns of what is left.
 */
bool scale(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride, size_t n,
           const struct scale_side *across, const struct scale_side *down)
{
    size_t width = across->from * n;
    AUTO_SIDE struct side columns = { 0 }, rows = { 0 };
    AUTO_FREE uint16_t *sums = calloc(width, sizeof *sums);
    AUTO_FREE uint8_t *row = malloc(width);

    if (!sums || !row || !open_side(&columns, across) || !open_side(&rows, down))
        return false;
    for (size_t y = 0; y < down->last - down->first; y++) {
        sum_rows(from, from_stride, &rows.taps[y], rows.n_weights, sums, row, width);
        scale_row(row, &columns, across->last - across->first, to + y * to_stride, n);
    }
    return true;
}
