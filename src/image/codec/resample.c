#include "image/codec/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define ONE_BITS 14 /* weights are fixed-point numbers: 1 << ONE_BITS is 1 */
#define LANES    8  /* rows that are reduced together, one in each vector lane */
#define BLOCK    16 /* samples of a row that are computed together */

/* For each output position: the input positions that contribute, and their weights. */
struct weights {
    size_t *first, *n;
    /* `most` for each position: whole numbers, so that sums are exact (below 1 << 24) */
    float *values;
    size_t most;
};

typedef float floats __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));
typedef uint8_t octets __attribute__((vector_size(16)));

static void weights_free(struct weights *w)
{
    free(w->first);
    free(w->n);
    free(w->values);
}

/* Catmull and Rom's cubic. */
static double cubic(double x)
{
    x = fabs(x);
    if (x < 1)
        return (1.5 * x - 2.5) * x * x + 1;
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

static void weigh(struct weights *w, size_t i, size_t in, double scale)
{
    double radius = 2 * (scale > 1 ? scale : 1), centre = ((double) i + 0.5) * scale, sum = 0;
    double first = ceil(centre - radius - 0.5), last = floor(centre + radius - 0.5);
    float *values = w->values + i * w->most;
    int32_t left = 1 << ONE_BITS;
    size_t from = first > 0 ? (size_t) first : 0, n, heaviest = 0;

    if (last > (double) (in - 1))
        last = (double) (in - 1);
    n = (size_t) last - from + 1;
    if (n > w->most)
        n = w->most;
    for (size_t k = 0; k < n; k++)
        sum += cubic(((double) (from + k) + 0.5 - centre) / (scale > 1 ? scale : 1));
    for (size_t k = 0; k < n; k++) {
        double value = cubic(((double) (from + k) + 0.5 - centre) / (scale > 1 ? scale : 1)) / sum;

        values[k] = (float) lround(value * (1 << ONE_BITS));
        left -= (int32_t) values[k];
        if (values[k] > values[heaviest])
            heaviest = k;
    }
    values[heaviest] += (float) left; /* the sum must be exact, so that white stays white */
    w->first[i] = from;
    w->n[i] = n;
}

static bool make_weights(struct weights *w, size_t in, size_t out)
{
    double scale = (double) in / (double) out;

    w->most = (size_t) ceil(4 * (scale > 1 ? scale : 1)) + 2;
    w->first = calloc(out, sizeof *w->first);
    w->n = calloc(out, sizeof *w->n);
    w->values = calloc(out, w->most * sizeof *w->values);
    if (!w->first || !w->n || !w->values)
        return false;
    for (size_t i = 0; i < out; i++)
        weigh(w, i, in, scale);
    return true;
}

/* Converts weighted sums to bytes, 0 to 255. */
static inline ints to_bytes(floats sums)
{
    ints bytes = (__builtin_convertvector(sums, ints) + (1 << (ONE_BITS - 1))) >> ONE_BITS;
    ints over = bytes > 255;

    bytes &= ~(bytes >> 31);
    return (bytes & ~over) | (over & 255);
}

/* The first or the last halves of two vectors, with their bytes in turns. */
static inline octets zip_first(octets a, octets b)
{
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline octets zip_last(octets a, octets b)
{
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
}

/* Turns eight rows of eight bytes into eight columns. */
static inline void transpose(const uint8_t *const *rows, size_t i, uint8_t *columns)
{
    octets row[LANES] = { 0 }, pairs[4], even[2], odd[2], result[4];

    for (size_t lane = 0; lane < LANES; lane++)
        memcpy(&row[lane], rows[lane] + i, LANES);
    for (size_t k = 0; k < 4; k++)
        pairs[k] = zip_first(row[k], row[k + 4]);
    even[0] = zip_first(pairs[0], pairs[2]);
    even[1] = zip_last(pairs[0], pairs[2]);
    odd[0] = zip_first(pairs[1], pairs[3]);
    odd[1] = zip_last(pairs[1], pairs[3]);
    for (size_t k = 0; k < 2; k++) {
        result[2 * k] = zip_first(even[k], odd[k]);
        result[2 * k + 1] = zip_last(even[k], odd[k]);
    }
    memcpy(columns, result, sizeof result);
}

/* Interleaves rows: samples at the same position become neighbours; `width` positions with all
 * channels. */
static void interleave(const struct raster *in, size_t y, size_t n, floats *tile)
{
    size_t bytes = in->width * in->channels, i = 0;
    const uint8_t *rows[LANES];
    float *to = (float *) tile;

    for (size_t lane = 0; lane < LANES; lane++)
        rows[lane] = in->data + (y + (lane < n ? lane : 0)) * bytes;
    for (; i + LANES <= bytes; i += LANES) {
        uint8_t columns[LANES * LANES];

        transpose(rows, i, columns);
        for (size_t k = 0; k < LANES * LANES; k++)
            *to++ = columns[k];
    }
    for (; i < bytes; i++)
        for (size_t lane = 0; lane < LANES; lane++)
            *to++ = rows[lane][i];
}

/* Computes `n_sums` times four lanes; from one weight to the next the input advances by `step`. */
static inline __attribute__((always_inline)) void narrow_pixel(const floats *from, size_t step,
                                                               const float *values, size_t n,
                                                               size_t n_sums, floats *out)
{
    floats sums[2 * 4] = { 0 };

    for (size_t k = 0; k < n; k++, from += step)
        for (size_t i = 0; i < n_sums; i++)
            sums[i] += values[k] * from[i];
    for (size_t i = 0; i < n_sums; i++)
        out[i] = __builtin_convertvector(to_bytes(sums[i]), floats);
}

/* A constant number of sums stays in registers. */
static void narrow_tile(const floats *tile, floats *out, size_t width, size_t channels,
                        const struct weights *w)
{
    size_t step = channels * LANES / 4;

    for (size_t x = 0; x < width; x++, out += step) {
        const float *values = w->values + x * w->most;
        const floats *from = tile + w->first[x] * step;

        if (channels == 3)
            narrow_pixel(from, step, values, w->n[x], 6, out);
        else if (channels == 4)
            narrow_pixel(from, step, values, w->n[x], 8, out);
        else
            for (size_t c = 0; c < step; c += LANES / 4)
                narrow_pixel(from + c, step, values, w->n[x], 2, out + c);
    }
}

/* Mixes n rows of whole numbers, which are padded to whole blocks. */
static void mix_rows(floats *const *rows, const float *values, size_t n, size_t bytes, uint8_t *out)
{
    for (size_t i = 0; i < bytes; i += BLOCK) {
        floats sums[BLOCK / 4] = { 0 };
        int32_t mixed[BLOCK];
        uint8_t block[BLOCK];

        for (size_t k = 0; k < n; k++)
            for (size_t part = 0; part < BLOCK / 4; part++)
                sums[part] += values[k] * rows[k][i / 4 + part];
        for (size_t part = 0; part < BLOCK / 4; part++) {
            ints four = to_bytes(sums[part]);

            memcpy(mixed + part * 4, &four, sizeof four);
        }
        for (size_t c = 0; c < BLOCK; c++)
            block[c] = (uint8_t) mixed[c];
        memcpy(out + i, block, bytes - i < BLOCK ? bytes - i : BLOCK);
    }
}

struct narrow {
    const struct raster *in;
    const struct weights *across;
    /* LANES rows of the input, and the same with reduced width, padded to whole blocks */
    floats *tile, *narrow;
    floats *ring; /* the last `kept` rows with reduced width */
    size_t kept;
    /* of the reduced rows: bytes with all channels; floats including padding */
    size_t width, stride;
};

/* Stores four positions of the reduced rows, from i on, in four of their rows in the ring. */
static inline void store_four(const struct narrow *w, size_t i, size_t half, floats *const *rows)
{
    const floats *from = w->narrow + i * (LANES / 4) + half;
    floats a = from[0], b = from[LANES / 4], c = from[2 * (LANES / 4)], d = from[3 * (LANES / 4)];
    floats ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    floats cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    floats ab_last = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    floats cd_last = __builtin_shufflevector(c, d, 2, 6, 3, 7);

    rows[0][i / 4] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    rows[1][i / 4] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    rows[2][i / 4] = __builtin_shufflevector(ab_last, cd_last, 0, 1, 4, 5);
    rows[3][i / 4] = __builtin_shufflevector(ab_last, cd_last, 2, 3, 6, 7);
}

/* Reduces the width of the rows from y on, at most `n` and at most LANES. Returns how many. */
static size_t narrow_rows(struct narrow *w, size_t y, size_t n)
{
    size_t n_rows = n < LANES ? n : LANES, channels = w->in->channels;
    floats *rows[LANES];

    interleave(w->in, y, n_rows, w->tile);
    narrow_tile(w->tile, w->narrow, w->width / channels, channels, w->across);
    for (size_t lane = 0; lane < LANES; lane++) /* rows that do not exist are never read */
        rows[lane] = w->ring + (y + lane) % w->kept * w->stride;
    for (size_t i = 0; i < w->width; i += 4) {
        store_four(w, i, 0, rows);
        store_four(w, i, 1, rows + 4);
    }
    return n_rows;
}

/* Reduces each row's width once, and keeps it in a ring as long as it is needed. */
static bool resample_rows(const struct raster *in, struct raster *out, const struct weights *across,
                          const struct weights *down)
{
    size_t bytes = out->width * out->channels, done = 0, kept = down->most + LANES;
    size_t padded = (bytes + BLOCK - 1) / BLOCK * BLOCK, stride = padded / 4;
    AUTO_FREE floats *tile = calloc(in->width * in->channels * (LANES / 4), sizeof *tile);
    AUTO_FREE floats *narrow = calloc(padded * (LANES / 4), sizeof *narrow);
    AUTO_FREE floats *ring = calloc(stride * kept, sizeof *ring);
    AUTO_FREE floats **rows = calloc(down->most, sizeof *rows);
    struct narrow w = { in, across, tile, narrow, ring, kept, bytes, stride };

    if (!tile || !narrow || !ring || !rows)
        return false;
    for (size_t y = 0; y < out->height; y++) {
        if (done < down->first[y])
            done = down->first[y];
        while (done < down->first[y] + down->n[y])
            done += narrow_rows(&w, done, in->height - done);
        for (size_t k = 0; k < down->n[y]; k++)
            rows[k] = ring + (down->first[y] + k) % kept * stride;
        mix_rows(rows, down->values + y * down->most, down->n[y], bytes, out->data + y * bytes);
    }
    return true;
}

bool resample_raster(const struct raster *in, struct raster *out)
{
    __attribute__((cleanup(weights_free))) struct weights across = { 0 }, down = { 0 };

    if (!raster_new(out, out->width, out->height, in->channels))
        return false;
    if (in->width == out->width && in->height == out->height) {
        memcpy(out->data, in->data, in->width * in->height * in->channels);
        return true;
    }
    return make_weights(&across, in->width, out->width) &&
           make_weights(&down, in->height, out->height) && resample_rows(in, out, &across, &down);
}

/* Adds to sums[x] the part of each output pixel that the row sets, in whole input pixels. */
static void add_row(const struct bitmap *in, size_t y, uint32_t *sums, const size_t *to)
{
    const uint8_t *row = in->data + y * in->stride;

    for (size_t x = 0; x < in->width; x++) {
        if (x % 8 == 0 && row[x / 8] == 0) {
            x += 7;
            continue;
        }
        sums[to[x]] += row[x / 8] >> (7 - x % 8) & 1;
    }
}

bool resample_bitmap(const struct bitmap *in, struct bitmap *out)
{
    AUTO_FREE size_t *to = calloc(in->width, sizeof *to);
    AUTO_FREE uint32_t *sums = calloc(out->width + 1, sizeof *sums);
    AUTO_FREE uint32_t *wide = calloc(out->width + 1, sizeof *wide);
    size_t y = 0;

    if (!to || !sums || !wide || !raster_bitmap_new(out, out->width, out->height))
        return false;
    for (size_t x = 0; x < in->width; x++) {
        to[x] = x * out->width / in->width;
        wide[to[x]]++;
    }
    for (size_t row = 0; row < out->height; row++) {
        size_t end = (row + 1) * in->height / out->height, from = y;

        memset(sums, 0, out->width * sizeof *sums);
        for (; y < end; y++)
            add_row(in, y, sums, to);
        for (size_t x = 0; x < out->width; x++)
            if ((size_t) sums[x] * 2 >= wide[x] * (end - from) && sums[x] > 0)
                out->data[row * out->stride + x / 8] |= (uint8_t) (0x80 >> x % 8);
    }
    return true;
}
