/* areas: parts of a page that are near each other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "page/sheet.h"

/* Whether less than `gap` points are between them; less than 0: whether they overlap by so much. */
static inline bool areas_near(const struct area *a, const struct area *b, float gap)
{
    return a->x0 <= b->x1 + gap && b->x0 <= a->x1 + gap && a->y0 <= b->y1 + gap &&
           b->y0 <= a->y1 + gap;
}

/* Joins those that are near each other until no more are; how many are left. Areas that grow are
 * looked at again a bounded number of times: a spiral would take as many as it has parts. */
size_t areas_cluster(struct area *areas, size_t n, float gap);
