#include "image/codec/ssim.h"

#include <stdlib.h>

#include "base/scope.h"

#define CELL   4 /* a window is two by two cells */
#define WINDOW 64.0
#define C1     (0.01 * 255 * 0.01 * 255)
#define C2     (0.03 * 255 * 0.03 * 255)

struct cell {
    uint32_t a, b, squares, product;
};

bool ssim_brightness(const struct raster *image, bool inverted, struct raster *out)
{
    size_t n = image->width * image->height;
    const uint8_t *p = image->data;

    if ((image->channels != 1 && image->channels != 3 && image->channels != 4) ||
        !raster_new(out, image->width, image->height, 1))
        return false;
    for (size_t i = 0; i < n; i++, p += image->channels) {
        unsigned c0 = p[0], sum;

        if (image->channels == 1) {
            out->data[i] = p[0];
            continue;
        }
        sum = (c0 * 77 + p[1] * 150U + p[2] * 29U + 128) >> 8;
        if (image->channels == 3)
            out->data[i] = (uint8_t) sum;
        else if (inverted) /* 255 means without ink */
            out->data[i] = (uint8_t) (sum * p[3] / 255);
        else
            out->data[i] = (uint8_t) ((255 - sum) * (255U - p[3]) / 255);
    }
    return true;
}

static void sum_cells(const struct raster *a, const struct raster *b, size_t row, size_t n,
                      struct cell *cells)
{
    for (size_t i = 0; i < n; i++)
        cells[i] = (struct cell){ 0 };
    for (size_t y = row * CELL; y < (row + 1) * CELL; y++) {
        const uint8_t *p = a->data + y * a->width, *q = b->data + y * b->width;

        for (size_t i = 0; i < n; i++)
            for (size_t x = 0; x < CELL; x++, p++, q++) {
                uint32_t u = *p, v = *q;

                cells[i].a += u;
                cells[i].b += v;
                cells[i].squares += u * u + v * v;
                cells[i].product += u * v;
            }
    }
}

static double window(const struct cell *above, const struct cell *below)
{
    double a = above[0].a + above[1].a + below[0].a + below[1].a;
    double b = above[0].b + above[1].b + below[0].b + below[1].b;
    double squares = above[0].squares + above[1].squares + below[0].squares + below[1].squares;
    double product = above[0].product + above[1].product + below[0].product + below[1].product;
    double means = a * b / (WINDOW * WINDOW);
    double mean_squares = (a * a + b * b) / (WINDOW * WINDOW);
    double covariance = (product - a * b / WINDOW) / (WINDOW - 1);
    double variances = (squares - (a * a + b * b) / WINDOW) / (WINDOW - 1);

    return (2 * means + C1) * (2 * covariance + C2) / ((mean_squares + C1) * (variances + C2));
}

double ssim_mean(const struct raster *a, const struct raster *b)
{
    size_t columns = a->width / CELL, rows = a->height / CELL;
    AUTO_FREE struct cell *above = calloc(columns + 1, sizeof *above);
    AUTO_FREE struct cell *below = calloc(columns + 1, sizeof *below);
    double sum = 0;

    if (!above || !below || columns < 2 || rows < 2)
        return 1;
    sum_cells(a, b, 0, columns, above);
    for (size_t y = 1; y < rows; y++) {
        struct cell *swap = above;

        sum_cells(a, b, y, columns, below);
        for (size_t x = 0; x + 1 < columns; x++)
            sum += window(above + x, below + x);
        above = below;
        below = swap;
    }
    return sum / (double) ((columns - 1) * (rows - 1));
}
