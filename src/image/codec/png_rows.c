#include "image/codec/png_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define FILTERS 5

static int paeth(int a, int b, int c)
{
    int p = b - c, q = a - c, pa = abs(p), pb = abs(q), pc = abs(p + q);

    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* One loop for each filter, which the compiler vectorises. The first pixel has no left
 * neighbour. */
static void filter(int kind, const uint8_t *row, const uint8_t *above, size_t n, size_t pixel,
                   uint8_t *out)
{
    size_t first = pixel < n ? pixel : n;

    for (size_t i = 0; i < first; i++)
        out[i] = (uint8_t) (row[i] - (kind == 2 || kind == 4 ? above[i]
                                      : kind == 3            ? above[i] / 2
                                                             : 0));
    switch (kind) {
    case 0:
        memcpy(out, row, n);
        return;
    case 1:
        for (size_t i = first; i < n; i++)
            out[i] = (uint8_t) (row[i] - row[i - pixel]);
        return;
    case 2:
        for (size_t i = first; i < n; i++)
            out[i] = (uint8_t) (row[i] - above[i]);
        return;
    case 3:
        for (size_t i = first; i < n; i++)
            out[i] = (uint8_t) (row[i] - (row[i - pixel] + above[i]) / 2);
        return;
    default:
        for (size_t i = first; i < n; i++)
            out[i] = (uint8_t) (row[i] - paeth(row[i - pixel], above[i], above[i - pixel]));
    }
}

static size_t cost(const uint8_t *row, size_t n)
{
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (size_t) abs((int8_t) row[i]);
    return sum;
}

bool png_rows(const uint8_t *data, size_t row, size_t height, size_t pixel, struct buf *out)
{
    AUTO_FREE uint8_t *above = calloc(1, row);
    AUTO_FREE uint8_t *tries = malloc(2 * row);
    uint8_t *best = tries, *other = tries + row;

    if (!above || !tries)
        return false;
    for (size_t y = 0; y < height; y++) {
        const uint8_t *line = data + y * row;
        size_t least = SIZE_MAX;
        int chosen = 0;

        for (int kind = 0; kind < FILTERS; kind++) {
            size_t sum;

            filter(kind, line, above, row, pixel, other);
            sum = cost(other, row);
            if (sum < least) {
                uint8_t *swap = best;

                best = other;
                other = swap;
                least = sum;
                chosen = kind;
            }
        }
        buf_putc(out, (char) chosen);
        buf_put(out, best, row);
        memcpy(above, line, row);
    }
    return !out->failed;
}
