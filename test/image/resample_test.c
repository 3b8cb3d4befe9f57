/* resample, judged by the same filter in plain floating point. */
#include "image/codec/resample.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

static struct raster noise(size_t width, size_t height, size_t channels)
{
    struct raster raster;
    uint32_t seed = 1;

    if (!raster_new(&raster, width, height, channels))
        abort();
    for (size_t i = 0; i < width * height * channels; i++) {
        seed = seed * 1664525 + 1013904223;
        raster.data[i] = i / 40 % 3 ? (uint8_t) (seed >> 24) : 255; /* and what overshoots */
    }
    return raster;
}

static double cubic(double x)
{
    x = fabs(x);
    if (x < 1)
        return (1.5 * x - 2.5) * x * x + 1;
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/* One place along one side: of `n` samples that stand `step` apart. */
static double along(const double *in, size_t n, size_t step, size_t place, double scale)
{
    double stretch = scale > 1 ? scale : 1, centre = ((double) place + 0.5) * scale;
    double sum = 0, weights = 0;

    for (size_t i = 0; i < n; i++) {
        double weight = cubic(((double) i + 0.5 - centre) / stretch);

        sum += weight * in[i * step];
        weights += weight;
    }
    return sum / weights;
}

static double clamp(double value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* How far one channel is off at most. */
static double worst(const struct raster *in, const struct raster *out, size_t channel)
{
    double *narrow = malloc(out->width * in->height * sizeof *narrow);
    double *row = malloc(in->width * sizeof *row), off = 0;

    if (!narrow || !row)
        abort();
    for (size_t y = 0; y < in->height; y++) {
        for (size_t x = 0; x < in->width; x++)
            row[x] = in->data[(y * in->width + x) * in->channels + channel];
        for (size_t x = 0; x < out->width; x++)
            narrow[y * out->width + x] =
                clamp(along(row, in->width, 1, x, (double) in->width / (double) out->width));
    }
    for (size_t y = 0; y < out->height; y++)
        for (size_t x = 0; x < out->width; x++) {
            double value = clamp(along(narrow + x, in->height, out->width, y,
                                       (double) in->height / (double) out->height));

            off =
                fmax(off, fabs(value - out->data[(y * out->width + x) * out->channels + channel]));
        }
    free(narrow);
    free(row);
    return off;
}

static void check(size_t width, size_t height, size_t to_width, size_t to_height)
{
    static const size_t channels[] = { 1, 2, 3, 4, 5 };

    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        AUTO_RASTER struct raster in = noise(width, height, channels[i]);
        AUTO_RASTER struct raster out = { .width = to_width, .height = to_height };
        double off = 0;

        if (!resample_raster(&in, &out))
            abort();
        for (size_t c = 0; c < channels[i]; c++)
            off = fmax(off, worst(&in, &out, c));
        ok(off < 1.6, "%zu x %zu to %zu x %zu, %zu channels: each within rounding", width, height,
           to_width, to_height, channels[i]);
    }
}

static bool stays_white(void)
{
    AUTO_RASTER struct raster in = { 0 }, out = { .width = 37, .height = 23 };
    bool white = raster_new(&in, 100, 61, 3);

    for (size_t i = 0; white && i < in.width * in.height * 3; i++)
        in.data[i] = 255;
    white = white && resample_raster(&in, &out);
    for (size_t i = 0; white && i < out.width * out.height * 3; i++)
        white = out.data[i] == 255;
    return white;
}

int main(void)
{
    check(90, 70, 31, 20);
    check(91, 67, 13, 60);
    check(40, 30, 50, 43);
    check(17, 9, 17, 9);
    check(3, 2, 1, 1);
    check(1, 1, 5, 3);
    ok(stays_white(), "white stays white");
    return done_testing();
}
