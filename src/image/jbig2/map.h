/* map: bitmaps as JBIG2 decodes them, a byte for each pixel: 0, or 1 for black. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JBIG2_MOST (1U << 27) /* limit of the pixels of one bitmap */

struct jbig2_map {
    uint32_t width, height;
    uint8_t *pixels; /* NULL if it has none */
};

/* How a bitmap is combined with the one that it is drawn on (ITU-T T.88, 7.4.1.5). */
enum jbig2_combine {
    JBIG2_OR,
    JBIG2_AND,
    JBIG2_XOR,
    JBIG2_XNOR,
    JBIG2_REPLACE,
};

/* Allocates a bitmap, whose pixels are 0, and charges them to the job (base/effort.h). False beyond
 * the limit, without memory, or if the job's budget does not suffice. */
bool jbig2_map_new(struct jbig2_map *map, uint32_t width, uint32_t height);
void jbig2_map_free(struct jbig2_map *map);
#define AUTO_JBIG2_MAP __attribute__((cleanup(jbig2_map_free)))

/* Pixels outside are 0. */
static inline unsigned jbig2_map_at(const struct jbig2_map *map, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= map->width || y >= map->height)
        return 0;
    return map->pixels[(size_t) y * map->width + (size_t) x];
}

/* Draws `from` with its top left pixel at (x, y); what is outside is left out. False if the job's
 * budget does not suffice. */
bool jbig2_map_draw(struct jbig2_map *to, const struct jbig2_map *from, int64_t x, int64_t y,
                    enum jbig2_combine how);
