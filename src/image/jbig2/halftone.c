#include "image/jbig2/halftone.h"

#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/octets.h"
#include "base/scope.h"
#include "image/jbig2/region.h"

#define CELL_EFFORT 30.0

/* The adaptive pixels of the gray-scale image and of the patterns are given (tables 24, 27). */
static void set_at(struct jbig2_generic *how, int8_t first_x, int8_t first_y)
{
    static const int8_t rest[] = { -3, -1, 2, -2, -2, -2 };

    how->at[0] = first_x;
    how->at[1] = first_y;
    memcpy(how->at + 2, rest, sizeof rest);
}

bool jbig2_patterns_read(struct jbig2_patterns *patterns, const uint8_t *data, size_t n)
{
    AUTO_FREE arith_cx *contexts = calloc(JBIG2_GENERIC_CONTEXTS, sizeof *contexts);
    struct jbig2_generic how = { 0 };
    struct arith_reader reader;
    uint64_t width;
    size_t used;

    *patterns = (struct jbig2_patterns){ 0 };
    if (n < 7 || !contexts || data[1] == 0 || data[2] == 0)
        return false;
    patterns->width = data[1];
    patterns->height = data[2];
    patterns->n = octets_be32(data + 3);
    width = ((uint64_t) patterns->n + 1) * patterns->width;
    if (width > JBIG2_MOST)
        return false;
    patterns->n++;
    if (!jbig2_map_new(&patterns->all, (uint32_t) width, patterns->height))
        return false;
    if (data[0] & 1)
        return jbig2_fax_read(data + 7, n - 7, &patterns->all, &used);
    how.template = data[0] >> 1 & 3;
    set_at(&how, (int8_t) -patterns->width, 0);
    arith_read_begin(&reader, data + 7, n - 7);
    jbig2_generic_read(&how, &reader, contexts, &patterns->all);
    return true;
}

/* The parameters of a halftone region (7.4.5.1). */
struct halftone {
    bool fax, skips;
    unsigned template;
    enum jbig2_combine combine;
    uint32_t width, height; /* of the gray-scale image */
    int32_t x, y;           /* of its first cell, in 1/256 pixels */
    uint16_t dx, dy;
};

static bool read_head(struct halftone *h, const uint8_t *data, size_t n, unsigned *flags)
{
    if (n < 21)
        return false;
    *flags = data[0];
    h->fax = *flags & 1;
    h->template = *flags >> 1 & 3;
    h->skips = *flags >> 3 & 1;
    h->combine = (enum jbig2_combine)(*flags >> 4 & 7);
    h->width = octets_be32(data + 1);
    h->height = octets_be32(data + 5);
    h->x = (int32_t) octets_be32(data + 9);
    h->y = (int32_t) octets_be32(data + 13);
    h->dx = (uint16_t) octets_be16(data + 17);
    h->dy = (uint16_t) octets_be16(data + 19);
    return (uint64_t) h->width * h->height <= JBIG2_MOST / 8;
}

static void cell_at(const struct halftone *h, int64_t column, int64_t row, int64_t *x, int64_t *y)
{
    *x = (h->x + row * h->dy + column * h->dx) >> 8;
    *y = (h->y + row * h->dx - column * h->dy) >> 8;
}

/* 6.6.5.1: cells that are outside of the region are not coded. */
static void mark_skipped(const struct halftone *h, const struct jbig2_map *map,
                         const struct jbig2_patterns *patterns, struct jbig2_map *skip)
{
    for (uint32_t row = 0; row < h->height; row++) {
        for (uint32_t column = 0; column < h->width; column++) {
            int64_t x, y;

            cell_at(h, column, row, &x, &y);
            skip->pixels[(size_t) row * h->width + column] =
                x + patterns->width <= 0 || x >= map->width || y + patterns->height <= 0 ||
                y >= map->height;
        }
    }
}

/* Annex C: the planes of the gray-scale image, in Gray code, the highest first. */
static bool read_values(const struct halftone *h, const uint8_t *data, size_t n,
                        const struct jbig2_map *skip, unsigned planes, uint32_t *values)
{
    AUTO_FREE arith_cx *contexts = calloc(JBIG2_GENERIC_CONTEXTS, sizeof *contexts);
    struct jbig2_generic how = { .template = h->template, .skip = h->skips ? skip : NULL };
    size_t cells = (size_t) h->width * h->height;
    struct arith_reader reader;

    set_at(&how, h->template <= 1 ? 3 : 2, -1);
    arith_read_begin(&reader, data, n);
    if (!contexts)
        return false;
    for (unsigned plane = 0; plane < planes; plane++) {
        AUTO_JBIG2_MAP struct jbig2_map map = { 0 };
        size_t used = 0;

        if (!jbig2_map_new(&map, h->width, h->height))
            return false;
        if (!h->fax)
            jbig2_generic_read(&how, &reader, contexts, &map);
        else if (!jbig2_fax_read(data, n, &map, &used))
            return false;
        data += used;
        n -= used;
        for (size_t i = 0; i < cells; i++)
            values[i] = values[i] << 1 | ((values[i] & 1) ^ map.pixels[i]);
    }
    return true;
}

static bool draw_cells(const struct halftone *h, const uint32_t *values,
                       const struct jbig2_patterns *patterns, struct jbig2_map *map)
{
    AUTO_JBIG2_MAP struct jbig2_map cell = { 0 };

    if (!jbig2_map_new(&cell, patterns->width, patterns->height))
        return false;
    for (uint32_t row = 0; row < h->height; row++) {
        for (uint32_t column = 0; column < h->width; column++) {
            uint32_t value = values[(size_t) row * h->width + column];
            int64_t x, y;

            if (value >= patterns->n)
                value = patterns->n - 1;
            cell_at(h, column, row, &x, &y);
            if (!effort_spend(CELL_EFFORT) ||
                !jbig2_map_draw(&cell, &patterns->all, -(int64_t) value * patterns->width, 0,
                                JBIG2_REPLACE) ||
                !jbig2_map_draw(map, &cell, x, y, h->combine))
                return false;
        }
    }
    return true;
}

bool jbig2_halftone_read(struct jbig2_map *map, const uint8_t *data, size_t n,
                         const struct jbig2_patterns *patterns)
{
    AUTO_JBIG2_MAP struct jbig2_map skip = { 0 };
    AUTO_FREE uint32_t *values = NULL;
    struct halftone h;
    unsigned flags, planes = 0;

    if (!read_head(&h, data, n, &flags) || !jbig2_map_new(&skip, h.width, h.height))
        return false;
    if (flags >> 7 & 1)
        memset(map->pixels, 1, (size_t) map->width * map->height);
    mark_skipped(&h, map, patterns, &skip);
    while (planes < 32 && (uint64_t) 1 << planes < patterns->n)
        planes++;
    values = calloc((size_t) h.width * h.height + 1, sizeof *values);
    return values && read_values(&h, data + 21, n - 21, &skip, planes, values) &&
           draw_cells(&h, values, patterns, map);
}
