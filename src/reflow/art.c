#include "reflow/art.h"

#include <math.h>
#include <string.h>

#include "reflow/words.h"

#define NEAR     5.0F /* points between what belongs together */
#define MAX_AREA 3000
#define SMALL    3.0F

static bool near(const struct area *a, const struct area *b)
{
    return a->x0 <= b->x1 + NEAR && b->x0 <= a->x1 + NEAR && a->y0 <= b->y1 + NEAR &&
           b->y0 <= a->y1 + NEAR;
}

static bool is_hairline(const struct area *area)
{
    return area_width(area) < SMALL && area_height(area) < SMALL;
}

/* Joins what is near each other until nothing more is. */
static size_t cluster(struct area *areas, size_t n)
{
    bool joined = true;

    while (joined) {
        joined = false;
        for (size_t i = 0; i < n; i++)
            for (size_t k = i + 1; k < n;) {
                if (!near(&areas[i], &areas[k])) {
                    k++;
                    continue;
                }
                area_join(&areas[i], &areas[k]);
                areas[k] = areas[--n];
                joined = true;
            }
    }
    return n;
}

static size_t collect(const struct sheet *sheet, struct area *areas)
{
    size_t n = 0;

    for (size_t i = 0; i < sheet->n_art; i++) {
        if (n < MAX_AREA)
            areas[n++] = sheet->art[i];
        else
            area_join(&areas[i % MAX_AREA], &sheet->art[i]);
    }
    for (size_t i = 0; i < sheet->n_fills; i++)
        if (!sheet->fills[i].used && sheet->fills[i].color != 0xffffff && n < MAX_AREA)
            areas[n++] = sheet->fills[i].area;
    return n;
}

size_t art_find(struct arena *arena, const struct sheet *sheet, struct area *areas)
{
    struct area *all = ARENA_ARRAY(arena, struct area, MAX_AREA);
    size_t n = cluster(all, collect(sheet, all)), kept = 0;

    for (size_t i = 0; i < n && kept < ART_CLUSTERS; i++) {
        struct area area = { fmaxf(all[i].x0, 0), fmaxf(all[i].y0, 0),
                             fminf(all[i].x1, sheet->width), fminf(all[i].y1, sheet->height) };

        if (is_hairline(&all[i]) || area_width(&area) <= 0.05F || area_height(&area) <= 0.05F)
            continue;
        /* A hairline needs a pixel to be seen in. */
        area.x1 = fmaxf(area.x1, area.x0 + 0.5F);
        area.y1 = fmaxf(area.y1, area.y0 + 0.5F);
        areas[kept++] = area;
    }
    return kept;
}
