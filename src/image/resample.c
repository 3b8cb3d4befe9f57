#include "image/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define ONE_BITS 14 /* weights are fixed-point numbers: 1 << ONE_BITS is 1 */

/* For each place of the output: which places of the input count, and how much. */
struct weights {
    size_t *first, *n;
    int32_t *values; /* `most` for each */
    size_t most;
};

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
    int32_t *values = w->values + i * w->most, left = 1 << ONE_BITS;
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

        values[k] = (int32_t) lround(value * (1 << ONE_BITS));
        left -= values[k];
        if (values[k] > values[heaviest])
            heaviest = k;
    }
    values[heaviest] += left; /* so that white stays white */
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

static uint8_t to_byte(int32_t sum)
{
    sum = (sum + (1 << (ONE_BITS - 1))) >> ONE_BITS;
    return sum < 0 ? 0 : sum > 255 ? 255 : (uint8_t) sum;
}

static void narrow_row(const uint8_t *in, uint8_t *out, size_t width, size_t channels,
                       const struct weights *w)
{
    for (size_t x = 0; x < width; x++) {
        const int32_t *values = w->values + x * w->most;
        const uint8_t *from = in + w->first[x] * channels;

        for (size_t c = 0; c < channels; c++) {
            int32_t sum = 0;

            for (size_t k = 0; k < w->n[x]; k++)
                sum += values[k] * from[k * channels + c];
            *out++ = to_byte(sum);
        }
    }
}

static void mix_rows(uint8_t *const *rows, const int32_t *values, size_t n, size_t bytes,
                     int32_t *sums, uint8_t *out)
{
    memset(sums, 0, bytes * sizeof *sums);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < bytes; i++)
            sums[i] += values[k] * rows[k][i];
    for (size_t i = 0; i < bytes; i++)
        out[i] = to_byte(sums[i]);
}

/* Rows of the input are narrowed once, and kept in a ring as long as they are needed. */
static bool run(const struct raster *in, struct raster *out, const struct weights *across,
                const struct weights *down)
{
    size_t bytes = out->width * out->channels, done = 0;
    AUTO_FREE uint8_t *ring = malloc(bytes * down->most);
    AUTO_FREE uint8_t **rows = calloc(down->most, sizeof *rows);
    AUTO_FREE int32_t *sums = calloc(bytes, sizeof *sums);

    if (!ring || !rows || !sums)
        return false;
    for (size_t y = 0; y < out->height; y++) {
        size_t end = down->first[y] + down->n[y];

        if (done < down->first[y])
            done = down->first[y];
        for (; done < end; done++)
            narrow_row(in->data + done * in->width * in->channels, ring + done % down->most * bytes,
                       out->width, in->channels, across);
        for (size_t k = 0; k < down->n[y]; k++)
            rows[k] = ring + (down->first[y] + k) % down->most * bytes;
        mix_rows(rows, down->values + y * down->most, down->n[y], bytes, sums,
                 out->data + y * bytes);
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

/* Adds to sums[x] how much of each output pixel the row sets; whole pixels of the input. */
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

    if (!to || !sums || !wide || !bitmap_new(out, out->width, out->height))
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
