#include "image/jbig2/region.h"

#include <string.h>

#include "image/codec/ccitt_lines.h"

#define END_CODE 0x001001 /* EOFB of T.6 */

/* The pixels of a template's context, from its lowest bit on, as figures 3 to 6 number them; those
 * that are 0, 0 are adaptive. */
struct place {
    int8_t x, y;
};

static const struct place generic[4][16] = {
    { { -1, 0 },
      { -2, 0 },
      { -3, 0 },
      { -4, 0 },
      { 0, 0 },
      { 2, -1 },
      { 1, -1 },
      { 0, -1 },
      { -1, -1 },
      { -2, -1 },
      { 0, 0 },
      { 0, 0 },
      { 1, -2 },
      { 0, -2 },
      { -1, -2 },
      { 0, 0 } },
    { { -1, 0 },
      { -2, 0 },
      { -3, 0 },
      { 0, 0 },
      { 2, -1 },
      { 1, -1 },
      { 0, -1 },
      { -1, -1 },
      { -2, -1 },
      { 2, -2 },
      { 1, -2 },
      { 0, -2 },
      { -1, -2 } },
    { { -1, 0 },
      { -2, 0 },
      { 0, 0 },
      { 1, -1 },
      { 0, -1 },
      { -1, -1 },
      { -2, -1 },
      { 1, -2 },
      { 0, -2 },
      { -1, -2 } },
    { { -1, 0 },
      { -2, 0 },
      { -3, 0 },
      { -4, 0 },
      { 0, 0 },
      { 1, -1 },
      { 0, -1 },
      { -1, -1 },
      { -2, -1 },
      { -3, -1 } },
};
static const unsigned generic_bits[4] = { 16, 13, 10, 10 };
/* the context of the bit that says that a line equals the one above (figures 8 to 11) */
static const unsigned same_line[4] = { 0x9b25, 0x0795, 0x00e5, 0x0195 };

static size_t fill_places(const struct jbig2_generic *how, struct place *places)
{
    size_t n = generic_bits[how->template], k = 0;

    memcpy(places, generic[how->template], n * sizeof *places);
    for (size_t i = 0; i < n; i++) {
        if (places[i].x == 0 && places[i].y == 0) {
            places[i] = (struct place){ how->at[k], how->at[k + 1] };
            k += 2;
        }
    }
    return n;
}

static unsigned context_at(const struct jbig2_map *map, const struct place *places, size_t n,
                           int64_t x, int64_t y)
{
    unsigned context = 0;

    for (size_t i = 0; i < n; i++)
        context |= jbig2_map_at(map, x + places[i].x, y + places[i].y) << i;
    return context;
}

/* The same for pixels whose contexts are inside: `steps` are distances in bytes. */
static unsigned context_near(const uint8_t *pixel, const ptrdiff_t *steps, size_t n)
{
    unsigned context = 0;

    for (size_t i = 0; i < n; i++)
        context |= (unsigned) pixel[steps[i]] << i;
    return context;
}

void jbig2_generic_read(const struct jbig2_generic *how, struct arith_reader *reader,
                        arith_cx *contexts, struct jbig2_map *map)
{
    struct place places[16];
    ptrdiff_t steps[16];
    size_t n = fill_places(how, places);
    int64_t width = map->width, left = 0, right = 0, above = 0;
    bool same = false;

    for (size_t i = 0; i < n; i++) {
        steps[i] = places[i].y * (ptrdiff_t) width + places[i].x;
        left = -places[i].x > left ? -places[i].x : left;
        right = places[i].x > right ? places[i].x : right;
        above = -places[i].y > above ? -places[i].y : above;
    }
    for (int64_t y = 0; y < map->height; y++) {
        uint8_t *line = map->pixels + y * width;

        if (how->typical)
            same ^= arith_get(reader, &contexts[same_line[how->template]]);
        if (same && y > 0)
            memcpy(line, line - width, (size_t) width);
        for (int64_t x = 0; !same && x < width; x++) {
            bool inside = x >= left && x + right < width && y >= above;

            if (how->skip && jbig2_map_at(how->skip, x, y))
                continue;
            line[x] =
                (uint8_t) arith_get(reader, &contexts[inside ? context_near(line + x, steps, n)
                                                             : context_at(map, places, n, x, y)]);
        }
    }
}

/* Figures 12 and 13; any order of the bits will do. */
static unsigned refine_context(const struct jbig2_refine *how, const struct jbig2_map *map,
                               int64_t x, int64_t y)
{
    const struct jbig2_map *from = how->reference;
    int64_t rx = x - how->dx, ry = y - how->dy;
    unsigned context = jbig2_map_at(map, x - 1, y) | jbig2_map_at(map, x + 1, y - 1) << 1 |
                       jbig2_map_at(map, x, y - 1) << 2 | jbig2_map_at(from, rx + 1, ry + 1) << 4 |
                       jbig2_map_at(from, rx, ry + 1) << 5 | jbig2_map_at(from, rx + 1, ry) << 6 |
                       jbig2_map_at(from, rx, ry) << 7 | jbig2_map_at(from, rx - 1, ry) << 8 |
                       jbig2_map_at(from, rx, ry - 1) << 9;

    if (how->template)
        return context | jbig2_map_at(map, x - 1, y - 1) << 3;
    return context | jbig2_map_at(map, x + how->at[0], y + how->at[1]) << 3 |
           jbig2_map_at(from, rx - 1, ry + 1) << 10 | jbig2_map_at(from, rx + 1, ry - 1) << 11 |
           jbig2_map_at(from, rx + how->at[2], ry + how->at[3]) << 12;
}

/* Whether the pixels around one of the reference all have its value (6.3.5.6). */
static bool is_even(const struct jbig2_map *from, int64_t x, int64_t y)
{
    unsigned value = jbig2_map_at(from, x, y);

    for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dx = -1; dx <= 1; dx++)
            if (jbig2_map_at(from, x + dx, y + dy) != value)
                return false;
    return true;
}

void jbig2_refine_read(const struct jbig2_refine *how, struct arith_reader *reader,
                       arith_cx *contexts, struct jbig2_map *map)
{
    bool typical = false;

    for (int64_t y = 0; y < map->height; y++) {
        uint8_t *line = map->pixels + (size_t) y * map->width;

        if (how->typical)
            typical ^= arith_get(reader, &contexts[0x80]);
        for (int64_t x = 0; x < map->width; x++) {
            if (typical && is_even(how->reference, x - how->dx, y - how->dy))
                line[x] = (uint8_t) jbig2_map_at(how->reference, x - how->dx, y - how->dy);
            else
                line[x] = (uint8_t) arith_get(reader, &contexts[refine_context(how, map, x, y)]);
        }
    }
}

bool jbig2_fax_read(const uint8_t *data, size_t n, struct jbig2_map *map, size_t *used)
{
    struct ccitt_read how = { .k = -1 };
    AUTO_CCITT_LINES struct ccitt_lines *lines = ccitt_lines_open(data, n, &how, map->width);
    struct jbig2_bits bits = { .data = data, .n = n };

    if (!lines)
        return false;
    for (size_t y = 0; y < map->height; y++) {
        const uint32_t *changes;
        size_t count;

        if (!ccitt_lines_next(lines, &changes, &count))
            return false;
        for (size_t i = 0; i < count; i += 2)
            for (uint32_t x = changes[i]; x < changes[i + 1] && x < map->width; x++)
                map->pixels[y * map->width + x] = 1;
    }
    bits.at = ccitt_lines_at(lines);
    if (jbig2_bits_get(&bits, 24) != END_CODE)
        bits.at = ccitt_lines_at(lines);
    jbig2_bits_align(&bits);
    *used = bits.at / 8 < n ? bits.at / 8 : n;
    return true;
}
