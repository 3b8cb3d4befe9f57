#include "image_codec/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define ONE_BITS 14 /* weights are fixed-point numbers: 1 << ONE_BITS is 1 */
#define LANES    8  /* rows that are reduced together, one in each vector lane */

/* For each output position: the input positions that contribute, and their weights. */
struct weights {
    size_t *first, *n;
    /* `most` for each position: whole numbers, so that sums are exact (below 1 << 24) */
    float *values;
    size_t most;
};

typedef float floats __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));

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

/* Interleaves rows: samples at the same position become neighbours; `width` positions with all
 * channels. */
static void interleave(const struct raster *in, size_t y, size_t n, floats *tile)
{
    size_t bytes = in->width * in->channels;
    const uint8_t *rows[LANES];

    for (size_t lane = 0; lane < LANES; lane++)
        rows[lane] = in->data + (y + (lane < n ? lane : 0)) * bytes;
    for (size_t i = 0; i < bytes; i++, tile += LANES / 4) {
        ints low = { rows[0][i], rows[1][i], rows[2][i], rows[3][i] };
        ints high = { rows[4][i], rows[5][i], rows[6][i], rows[7][i] };

        tile[0] = __builtin_convertvector(low, floats);
        tile[1] = __builtin_convertvector(high, floats);
    }
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

/* Mixes n rows of whole numbers. */
static void mix_rows(floats *const *rows, const float *values, size_t n, size_t bytes, uint8_t *out)
{
    for (size_t i = 0; i < bytes; i += 4) {
        floats sum = { 0 };
        ints mixed;

        for (size_t k = 0; k < n; k++)
            sum += values[k] * rows[k][i / 4];
        mixed = to_bytes(sum);
        for (size_t c = 0; c < 4 && i + c < bytes; c++)
            out[i + c] = (uint8_t) mixed[c];
    }
}

struct narrow {
    const struct raster *in;
    const struct weights *across;
    floats *tile, *narrow; /* LANES rows of the input, and the same with reduced width */
    floats *ring;          /* the last `kept` rows with reduced width */
    size_t kept;
    /* of the reduced rows: bytes with all channels; floats including padding */
    size_t width, stride;
};

/* Reduces the width of the rows from y on, at most `n` and at most LANES. Returns how many. */
static size_t narrow_rows(struct narrow *w, size_t y, size_t n)
{
    size_t rows = n < LANES ? n : LANES, channels = w->in->channels;
    const float *narrow = (const float *) w->narrow;

    interleave(w->in, y, rows, w->tile);
    narrow_tile(w->tile, w->narrow, w->width / channels, channels, w->across);
    for (size_t lane = 0; lane < rows; lane++) {
        float *row = (float *) (w->ring + (y + lane) % w->kept * w->stride);

        for (size_t i = 0; i < w->width; i++)
            row[i] = narrow[i * LANES + lane];
    }
    return rows;
}

/* Reduces each row's width once, and keeps it in a ring as long as it is needed. */
static bool run(const struct raster *in, struct raster *out, const struct weights *across,
                const struct weights *down)
{
    size_t bytes = out->width * out->channels, done = 0, kept = down->most + LANES;
    size_t stride = (bytes + 3) / 4;
    AUTO_FREE floats *tile = calloc(in->width * in->channels * (LANES / 4), sizeof *tile);
    AUTO_FREE floats *narrow = calloc(bytes * (LANES / 4), sizeof *narrow);
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

bool resample(const struct raster *in, struct raster *out)
{
    __attribute__((cleanup(weights_free))) struct weights across = { 0 }, down = { 0 };

    return raster_new(out, out->width, out->height, in->channels) &&
           make_weights(&across, in->width, out->width) &&
           make_weights(&down, in->height, out->height) && run(in, out, &across, &down);
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
