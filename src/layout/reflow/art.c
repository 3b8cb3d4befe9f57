#include "layout/reflow/art.h"

#include <math.h>
#include <string.h>

#include "layout/page/areas.h"

#define NEAR     5.0F /* points between what belongs together */
#define MAX_AREA 3000
#define SMALL    3.0F
#define TOUCHING 1.0F
#define LINES    15.0F
#define COVERING 0.5F /* points: edges that meet are not over each other */

static bool is_hairline(const struct area *area)
{
    return area_width(area) < SMALL && area_height(area) < SMALL;
}

static size_t collect(const struct sheet *sheet, struct area *areas)
{
    size_t n = 0;

    for (size_t i = 0; i < sheet->n_art; i++) {
        if (n < MAX_AREA)
            areas[n++] = sheet->art[i].area;
        else
            area_join(&areas[i % MAX_AREA], &sheet->art[i].area);
    }
    for (size_t i = 0; i < sheet->n_fills; i++)
        if (!sheet->fills[i].owner && !sheet->fills[i].marker &&
            sheet->fills[i].color != 0xffffff && n < MAX_AREA)
            areas[n++] = sheet->fills[i].area;
    return n;
}

/* Those that are on the page, each large enough to be seen. */
static size_t keep(const struct sheet *sheet, const struct area *all, size_t n, struct area *areas)
{
    size_t kept = 0;

    for (size_t i = 0; i < n && kept < SHEET_DRAWINGS; i++) {
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

/* Calls `see` with all that is drawn. */
static void walk(const struct sheet *sheet, void (*see)(void *, const struct area *, uint32_t),
                 void *to)
{
    for (size_t i = 0; i < sheet->n_art; i++)
        see(to, &sheet->art[i].area, sheet->art[i].order);
    for (size_t i = 0; i < sheet->n_fills; i++)
        if (!sheet->fills[i].owner && !sheet->fills[i].marker)
            see(to, &sheet->fills[i].area, sheet->fills[i].order);
}

/* The last of what is in an area. */
static void see_last(void *to, const struct area *area, uint32_t order)
{
    struct sheet_art *found = to;

    if (areas_hold(&found->area, area, TOUCHING) && order > found->order)
        found->order = order;
}

struct covering {
    const struct area *cluster, *picture;
    uint32_t order;
    bool found;
};

static void see_covering(void *to, const struct area *area, uint32_t order)
{
    struct covering *covering = to;

    covering->found |= order > covering->order && areas_near(area, covering->picture, -COVERING) &&
                       areas_near(area, covering->cluster, -COVERING);
}

bool art_covers(const struct sheet *sheet, const struct area *area, uint32_t order,
                const struct area *part)
{
    struct covering covering = { .cluster = part, .picture = area, .order = order };

    walk(sheet, see_covering, &covering);
    return covering.found;
}

size_t art_find(struct arena *arena, const struct sheet *sheet, struct sheet_art *found)
{
    struct area *all = ARENA_ARRAY(arena, struct area, MAX_AREA), areas[SHEET_DRAWINGS];
    size_t n = keep(sheet, all, areas_cluster(all, collect(sheet, all), NEAR), areas);

    for (size_t i = 0; i < n; i++) {
        found[i] = (struct sheet_art){ .area = areas[i] };
        walk(sheet, see_last, &found[i]);
    }
    return n;
}

static bool is_in_word(const struct area *area, const struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!words[i].turned &&
            area_has(&words[i].area, (area->x0 + area->x1) / 2, (area->y0 + area->y1) / 2))
            return true;
    return false;
}

size_t art_unread(struct arena *arena, const struct sheet *sheet, const struct word *words,
                  size_t n_words, struct sheet_art *found)
{
    struct area *all = ARENA_ARRAY(arena, struct area, MAX_AREA), areas[SHEET_DRAWINGS];
    size_t n = 0;

    for (size_t i = 0; i < sheet->n_unread && n < MAX_AREA; i++)
        if (!is_in_word(&sheet->unread[i], words, n_words))
            all[n++] = sheet->unread[i];
    n = areas_cluster(all, n, TOUCHING);
    /* Many words are a text. */
    n = keep(sheet, all, n > SHEET_DRAWINGS ? areas_cluster(all, n, LINES) : n, areas);
    for (size_t i = 0; i < n; i++)
        found[i] = (struct sheet_art){ .area = areas[i], .order = UINT32_MAX };
    return n;
}
