#include "image/enlarge.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define ONE  (1 << ENLARGE_BITS)
#define HALF (ONE / 2)

/* From which two old pixels a new one comes: their number, and how much of the second. */
struct between {
    uint32_t first, second;
    int16_t part; /* of ONE */
};

/* False: it does not lie in the picture, of that many pixels. */
static bool locate(int64_t at, int pixels, struct between *between)
{
    int64_t first = at >> ENLARGE_BITS, second = first + 1;

    if (at + HALF < 0 || at + HALF >= (int64_t) pixels << ENLARGE_BITS)
        return false;
    between->first = first < 0 ? 0 : (uint32_t) first;
    between->second = second < pixels ? (uint32_t) second : (uint32_t) pixels - 1;
    between->part = (int16_t) (at & (ONE - 1));
    return true;
}

static inline int mix(int first, int second, int part)
{
    return first + ((second - first) * part >> ENLARGE_BITS);
}

/* One old row, as wide as the new ones are, with their channels. */
static void widen(const uint8_t *row, int channels, const struct between *columns, size_t n,
                  uint8_t *out, int out_channels)
{
    for (size_t x = 0; x < n; x++, out += out_channels) {
        const uint8_t *first = row + (size_t) columns[x].first * (size_t) channels;
        const uint8_t *second = row + (size_t) columns[x].second * (size_t) channels;
        int part = columns[x].part;

        if (channels == 3) {
            for (int i = 0; i < 3; i++)
                out[i] = (uint8_t) mix(first[i], second[i], part);
        } else {
            memset(out, mix(first[0], second[0], part), (size_t) out_channels);
        }
    }
}

/* Two rows as one. In 16 bits, so that compilers make vectors of it. */
static void blend_rows(const uint8_t *restrict first, const uint8_t *restrict second, int16_t part,
                       uint8_t *restrict out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int16_t far = (int16_t) ((second[i] - first[i]) * (1 << (16 - ENLARGE_BITS)));

        out[i] = (uint8_t) (first[i] + (int16_t) ((int32_t) far * part >> 16));
    }
}

static void put_alpha(const uint8_t *row, size_t n, int channels, uint8_t *out)
{
    for (size_t x = 0; x < n; x++, row += channels, out += channels + 1) {
        memcpy(out, row, (size_t) channels);
        out[channels] = 255;
    }
}

bool enlarge(const struct enlarge_from *from, const struct enlarge_to *to,
             const struct enlarge_place *across, const struct enlarge_place *down)
{
    size_t row = (size_t) to->width * (size_t) to->channels, n = 0;
    AUTO_FREE struct between *columns = calloc((size_t) to->width, sizeof *columns);
    AUTO_FREE uint8_t *rows = malloc(3 * row); /* two widened ones, in turns, and their mix */
    int64_t held[2] = { -1, -1 };
    int begin = 0;

    if (!columns || !rows)
        return false;
    for (int x = 0; x < to->width; x++) {
        if (locate(across->at + (int64_t) x * across->step, from->width, &columns[n]))
            begin = n++ == 0 ? x : begin;
    }
    for (int y = 0; y < to->height && n > 0; y++) {
        uint8_t *out = to->samples + (size_t) y * to->stride +
                       (size_t) begin * (size_t) (to->channels + to->alpha);
        struct between lines;

        if (!locate(down->at + (int64_t) y * down->step, from->height, &lines))
            continue;
        for (int i = 0; i < 2; i++) {
            uint32_t line = i ? lines.second : lines.first;

            if (held[line & 1] != line)
                widen(from->samples + line * from->stride, from->channels, columns, n,
                      rows + (line & 1) * row, to->channels);
            held[line & 1] = line;
        }
        blend_rows(rows + (lines.first & 1) * row, rows + (lines.second & 1) * row, lines.part,
                   to->alpha ? rows + 2 * row : out, n * (size_t) to->channels);
        if (to->alpha)
            put_alpha(rows + 2 * row, n, to->channels, out);
    }
    return true;
}
