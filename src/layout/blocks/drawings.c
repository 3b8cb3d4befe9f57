#include "layout/blocks/drawings.h"

#include <math.h>
#include <string.h>

#include "layout/page/areas.h"
#include "layout/page/rules.h"

#define NEAR        5.0F /* points between what belongs together */
#define MAX_AREA    3000
#define SMALL       3.0F
#define TOUCHING    1.0F
#define LINES       15.0F
#define BORDER_HIGH 0.5F /* of the page: a border of it is higher */
#define BORDER_WIDE 0.6F /* and wider */
#define COVERING    0.5F /* points: edges that meet are not over each other */

static bool is_hairline(const struct area *area)
{
    return area_width(area) < SMALL && area_height(area) < SMALL;
}

static size_t collect_areas(const struct page_content *content, struct area *areas)
{
    size_t n = 0;

    for (size_t i = 0; i < content->n_drawings; i++) {
        if (n < MAX_AREA)
            areas[n++] = content->drawings[i].area;
        else
            area_join(&areas[i % MAX_AREA], &content->drawings[i].area);
    }
    for (size_t i = 0; i < content->n_fills; i++)
        if (!content->fills[i].claimed_by && !content->fills[i].marker &&
            content->fills[i].color != 0xffffff && n < MAX_AREA)
            areas[n++] = content->fills[i].area;
    return n;
}

/* Those that are on the page, each large enough to be seen. */
static size_t keep_visible(const struct page_content *content, const struct area *all, size_t n,
                           struct area *areas)
{
    size_t kept = 0;

    for (size_t i = 0; i < n && kept < PAGE_DRAWINGS; i++) {
        struct area area = { fmaxf(all[i].x0, 0), fmaxf(all[i].y0, 0),
                             fminf(all[i].x1, content->width), fminf(all[i].y1, content->height) };

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
static void walk_drawings(const struct page_content *content,
                          void (*see)(void *, const struct area *, uint32_t), void *to)
{
    for (size_t i = 0; i < content->n_drawings; i++)
        see(to, &content->drawings[i].area, content->drawings[i].order);
    for (size_t i = 0; i < content->n_fills; i++)
        if (!content->fills[i].claimed_by && !content->fills[i].marker)
            see(to, &content->fills[i].area, content->fills[i].order);
}

/* The last of what is in an area. */
static void see_last(void *to, const struct area *area, uint32_t order)
{
    struct drawing *found = to;

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

bool drawings_cover(const struct page_content *content, const struct area *area, uint32_t order,
                    const struct area *part)
{
    struct covering covering = { .cluster = part, .picture = area, .order = order };

    walk_drawings(content, see_covering, &covering);
    return covering.found;
}

size_t drawings_find(struct arena *arena, const struct page_content *content, struct drawing *found)
{
    struct area *all = ARENA_ARRAY(arena, struct area, MAX_AREA), areas[PAGE_DRAWINGS];
    size_t n =
        keep_visible(content, all, areas_cluster(all, collect_areas(content, all), NEAR), areas);

    for (size_t i = 0; i < n; i++) {
        found[i] = (struct drawing){ .area = areas[i] };
        walk_drawings(content, see_last, &found[i]);
    }
    return n;
}

static bool is_in_word(const struct area *area, const struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!words[i].rotated &&
            area_has(&words[i].area, (area->x0 + area->x1) / 2, (area->y0 + area->y1) / 2))
            return true;
    return false;
}

size_t drawings_find_unread(struct arena *arena, const struct page_content *content,
                            const struct word *words, size_t n_words, struct drawing *found)
{
    struct area *all = ARENA_ARRAY(arena, struct area, MAX_AREA), areas[PAGE_DRAWINGS];
    size_t n = 0;

    for (size_t i = 0; i < content->n_unread && n < MAX_AREA; i++)
        if (!is_in_word(&content->unread[i], words, n_words))
            all[n++] = content->unread[i];
    n = areas_cluster(all, n, TOUCHING);
    /* Many words are a text. */
    n = keep_visible(content, all, n > PAGE_DRAWINGS ? areas_cluster(all, n, LINES) : n, areas);
    for (size_t i = 0; i < n; i++)
        found[i] = (struct drawing){ .area = areas[i], .order = UINT32_MAX };
    return n;
}

static bool is_line(const struct area *area)
{
    return fminf(area_width(area), area_height(area)) <= RULE_WIDTH;
}

static bool has_word(const struct area *area, const struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);

        if (area_has(area, at.x, at.y))
            return true;
    }
    return false;
}

bool drawings_are_border(const struct page_content *content, const struct area *area,
                         const struct word *words, size_t n)
{
    bool sides[4] = { false };

    if (area_height(area) < BORDER_HIGH * content->height ||
        area_width(area) < BORDER_WIDE * content->width || !has_word(area, words, n))
        return false;
    for (size_t i = 0; i < content->n_drawings; i++)
        if (areas_near(&content->drawings[i].area, area, 0))
            return false;
    for (size_t i = 0; i < content->n_fills; i++) {
        const struct area *a = &content->fills[i].area;

        if (content->fills[i].claimed_by || content->fills[i].marker || !areas_near(a, area, 0))
            continue;
        if (!is_line(a) && !has_word(a, words, n))
            return false;
        sides[0] |= is_line(a) && a->x0 < area->x0 + NEAR && area_height(a) > area_width(a);
        sides[1] |= is_line(a) && a->x1 > area->x1 - NEAR && area_height(a) > area_width(a);
        sides[2] |= is_line(a) && a->y0 < area->y0 + NEAR && area_width(a) > area_height(a);
        sides[3] |= is_line(a) && a->y1 > area->y1 - NEAR && area_width(a) > area_height(a);
    }
    return sides[0] && sides[1] && sides[2] && sides[3];
}
