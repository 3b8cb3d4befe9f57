#include "image/codec/ccitt_gray.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

/* Adds the black run from x to `to` to the counts of the pixels that it covers. */
static inline void count_run(uint16_t *counts, uint32_t x, uint32_t to, unsigned halvings)
{
    uint32_t side = 1U << halvings, first = x >> halvings, last = to >> halvings;

    if (first == last) {
        counts[first] = (uint16_t) (counts[first] + to - x);
        return;
    }
    counts[first] = (uint16_t) (counts[first] + ((first + 1) << halvings) - x);
    for (uint32_t i = first + 1; i < last; i++)
        counts[i] = (uint16_t) (counts[i] + side);
    counts[last] = (uint16_t) (counts[last] + (to & (side - 1)));
}

static void count_line(const struct ccitt_gray *how, const uint32_t *changes, size_t n,
                       uint16_t *counts)
{
    for (size_t i = 0; i < n; i += 2) {
        uint32_t x = changes[i] > how->x0 ? changes[i] : how->x0;
        uint32_t to = changes[i + 1] < how->x1 ? changes[i + 1] : how->x1;

        if (x < to)
            count_run(counts, x - how->x0, to - how->x0, how->halvings);
    }
}

static uint8_t shade(const struct ccitt_gray *how, uint32_t black, uint32_t all)
{
    uint32_t level = 255 * (how->black_is_1 ? black : all - black) / all;

    return (uint8_t) (how->inverted ? 255 - level : level);
}

/* Writes a line that is not reduced. */
static void write_line(const struct ccitt_gray *how, const uint32_t *changes, size_t n,
                       const uint8_t *shades, uint8_t *row)
{
    memset(row, shades[0], how->x1 - how->x0);
    for (size_t i = 0; i < n; i += 2) {
        uint32_t x = changes[i] > how->x0 ? changes[i] : how->x0;
        uint32_t to = changes[i + 1] < how->x1 ? changes[i + 1] : how->x1;

        for (; x < to; x++)
            row[x - how->x0] = shades[1];
    }
}

/* Converts the counts of `lines` lines to a row, and clears them. */
static void write_row(const struct ccitt_gray *how, const uint8_t *shades, uint32_t lines,
                      uint16_t *counts, uint8_t *row)
{
    uint32_t side = 1U << how->halvings, width = how->x1 - how->x0, whole = width >> how->halvings;

    if (lines == side) {
        for (uint32_t x = 0; x < whole; x++)
            row[x] = shades[counts[x]];
    } else {
        for (uint32_t x = 0; x < whole; x++)
            row[x] = shade(how, counts[x], lines * side);
    }
    if (width & (side - 1))
        row[whole] = shade(how, counts[whole], lines * (width & (side - 1)));
    memset(counts, 0, (whole + 1) * sizeof *counts);
}

bool ccitt_gray(const uint8_t *data, size_t n, const struct ccitt_gray *how, uint8_t *out,
                size_t stride)
{
    AUTO_CCITT_LINES struct ccitt_lines *lines = ccitt_lines_open(data, n, &how->how, how->width);
    uint32_t side = 1U << how->halvings, counted = 0;
    AUTO_FREE uint16_t *counts = calloc(((how->x1 - how->x0) >> how->halvings) + 1, sizeof *counts);
    AUTO_FREE uint8_t *shades = malloc((size_t) side * side + 1);

    if (!lines || !counts || !shades)
        return false;
    for (uint32_t black = 0; black <= side * side; black++)
        shades[black] = shade(how, black, side * side);
    for (uint32_t y = 0; y < how->y1; y++) {
        const uint32_t *changes;
        size_t n_changes;

        if (!ccitt_lines_next(lines, &changes, &n_changes))
            return false;
        if (y < how->y0)
            continue;
        if (how->halvings == 0) {
            write_line(how, changes, n_changes, shades, out);
            out += stride;
            continue;
        }
        count_line(how, changes, n_changes, counts);
        if (++counted == side || y == how->y1 - 1) {
            write_row(how, shades, counted, counts, out);
            out += stride;
            counted = 0;
        }
    }
    return true;
}
