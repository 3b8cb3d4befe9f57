/* areas: groups of areas of a page that are near each other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "layout/page/page_content.h"

/* Whether less than `gap` points are between two areas; a negative gap: whether they overlap by
 * at least -gap. */
static inline bool areas_near(const struct area *a, const struct area *b, float gap)
{
    return a->x0 <= b->x1 + gap && b->x0 <= a->x1 + gap && a->y0 <= b->y1 + gap &&
           b->y0 <= a->y1 + gap;
}

/* Whether b is within a, or sticks out of it by less than `by` points on each side. */
static inline bool areas_hold(const struct area *a, const struct area *b, float by)
{
    return b->x0 > a->x0 - by && b->x1 < a->x1 + by && b->y0 > a->y0 - by && b->y1 < a->y1 + by;
}

/* Merges areas that are near each other until no more are, and returns how many are left. Areas
 * that grow are checked again only a bounded number of times: a spiral would need as many rounds
 * as it has parts. */
size_t areas_cluster(struct area *areas, size_t n, float gap);
