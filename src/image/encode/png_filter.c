#include "image/encode/png_filter.h"

#include <stdlib.h>
#include <string.h>

/* Uses 16 bits, so that compilers vectorise it. */
static inline uint8_t paeth(int16_t left, int16_t up, int16_t corner)
{
    int16_t from_left = (int16_t) (up - corner), from_up = (int16_t) (left - corner);
    int16_t from_corner = (int16_t) (from_left + from_up);
    int16_t l = (int16_t) abs(from_left), u = (int16_t) abs(from_up),
            c = (int16_t) abs(from_corner);
    int16_t other = u <= c ? up : corner;

    return (uint8_t) (l <= u && l <= c ? left : other);
}

static inline __attribute__((always_inline)) void filter_row(enum png_filter filter,
                                                             const uint8_t *row, const uint8_t *up,
                                                             size_t n, size_t pixel,
                                                             uint8_t *restrict out)
{
    switch (filter) {
    case PNG_NONE:
        memcpy(out, row, n);
        break;
    case PNG_SUB:
        memcpy(out, row, pixel);
        for (size_t i = pixel; i < n; i++)
            out[i] = (uint8_t) (row[i] - row[i - pixel]);
        break;
    case PNG_UP:
        for (size_t i = 0; i < n; i++)
            out[i] = (uint8_t) (row[i] - up[i]);
        break;
    case PNG_AVERAGE:
        for (size_t i = 0; i < pixel; i++)
            out[i] = (uint8_t) (row[i] - up[i] / 2);
        for (size_t i = pixel; i < n; i++)
            out[i] = (uint8_t) (row[i] - (row[i - pixel] + up[i]) / 2);
        break;
    case PNG_PAETH:
        for (size_t i = 0; i < pixel; i++)
            out[i] = (uint8_t) (row[i] - up[i]);
        for (size_t i = pixel; i < n; i++)
            out[i] = (uint8_t) (row[i] - paeth(row[i - pixel], up[i], up[i - pixel]));
    }
}

void png_filter_apply(enum png_filter filter, const uint8_t *row, const uint8_t *up, size_t n,
                      size_t pixel, uint8_t *restrict out)
{
    out[0] = (uint8_t) filter;
    filter_row(filter, row, up, n, pixel, out + 1);
}
