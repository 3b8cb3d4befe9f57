#include "image/jbig2/map.h"

#include <stdlib.h>

#include "base/effort.h"

#define PIXEL_EFFORT 12.0
#define DRAW_EFFORT  40.0 /* of a drawing, however small */

bool jbig2_map_new(struct jbig2_map *map, uint32_t width, uint32_t height)
{
    uint64_t n = (uint64_t) width * height;

    *map = (struct jbig2_map){ 0 };
    if (n > JBIG2_MOST || !effort_spend((double) n * PIXEL_EFFORT + DRAW_EFFORT))
        return false;
    map->pixels = calloc(n + 1, 1);
    if (!map->pixels)
        return false;
    map->width = width;
    map->height = height;
    return true;
}

void jbig2_map_free(struct jbig2_map *map)
{
    free(map->pixels);
    *map = (struct jbig2_map){ 0 };
}

static void draw_row(uint8_t *to, const uint8_t *from, size_t n, enum jbig2_combine how)
{
    for (size_t i = 0; i < n; i++) {
        switch (how) {
        case JBIG2_OR:
            to[i] |= from[i];
            break;
        case JBIG2_AND:
            to[i] &= from[i];
            break;
        case JBIG2_XOR:
            to[i] ^= from[i];
            break;
        case JBIG2_XNOR:
            to[i] = to[i] == from[i];
            break;
        case JBIG2_REPLACE:
        default:
            to[i] = from[i];
        }
    }
}

bool jbig2_map_draw(struct jbig2_map *to, const struct jbig2_map *from, int64_t x, int64_t y,
                    enum jbig2_combine how)
{
    int64_t x0 = x < 0 ? 0 : x, y0 = y < 0 ? 0 : y;
    int64_t x1 = x + from->width < to->width ? x + from->width : to->width;
    int64_t y1 = y + from->height < to->height ? y + from->height : to->height;

    if (x0 >= x1 || y0 >= y1)
        return effort_spend(DRAW_EFFORT);
    for (int64_t row = y0; row < y1; row++)
        draw_row(to->pixels + (size_t) row * to->width + (size_t) x0,
                 from->pixels + (size_t) (row - y) * from->width + (size_t) (x0 - x),
                 (size_t) (x1 - x0), how);
    return effort_spend((double) (x1 - x0) * (double) (y1 - y0) + DRAW_EFFORT);
}
