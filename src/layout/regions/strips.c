#include "layout/regions/strips.h"

#include <math.h>
#include <string.h>

#define MARGIN 0.3F /* font sizes: segments nearer than that are in one strip */

/* The strips that are nearer to the segment than the margin: [*first, *last]; false: none. */
static bool find_near(const struct strips *strips, const struct segment *segment, float margin,
                      size_t *first, size_t *last)
{
    bool found = false;

    for (size_t i = 0; i < strips->n; i++) {
        if (segment->x0 > strips->items[i].x1 + margin ||
            segment->x1 < strips->items[i].x0 - margin)
            continue;
        if (!found)
            *first = i;
        *last = i;
        found = true;
    }
    return found;
}

/* Moves the segments after a new strip by one. */
static void shift(struct row *row, size_t n, size_t at)
{
    for (size_t i = 0; i < n; i++) {
        if (row->segments[i].first >= at)
            row->segments[i].first++;
        if (row->segments[i].last >= at)
            row->segments[i].last++;
    }
}

static bool add_strip(struct strips *strips, struct row *row, size_t i)
{
    struct segment *segment = &row->segments[i];
    size_t at = 0;

    if (strips->n == STRIPS_MOST)
        return false;
    while (at < strips->n && strips->items[at].x0 < segment->x0)
        at++;
    memmove(&strips->items[at + 1], &strips->items[at], (strips->n - at) * sizeof *strips->items);
    strips->items[at] = (struct strip){ .x0 = segment->x0, .x1 = segment->x1 };
    strips->n++;
    shift(row, i, at);
    segment->first = segment->last = at;
    return true;
}

/* A strip is as wide as its cells, but does not go over into the next one: there a long cell hangs
 * over where the other one's cells are short. */
static void widen(struct strips *strips, const struct segment *segment)
{
    struct strip *strip = &strips->items[segment->first];
    const struct strip *before = segment->first > 0 ? strip - 1 : NULL;
    const struct strip *after = segment->first + 1 < strips->n ? strip + 1 : NULL;

    strip->cells++;
    if (!before || segment->x0 > before->x1)
        strip->x0 = fminf(strip->x0, segment->x0);
    if (!after || segment->x1 < after->x0)
        strip->x1 = fmaxf(strip->x1, segment->x1);
}

/* What two segments of a row are near to is the nearer one's; the other one has what is left. */
static void settle_segment(const struct strips *strips, struct row *row, size_t i)
{
    struct segment *now = &row->segments[i], *last = now - 1;

    if (last->first == SIZE_MAX || now->first > last->last)
        return;
    if (last->last > last->first && now->last >= last->last)
        last->last = now->first > last->first ? now->first - 1 : last->first;
    if (now->last > now->first && now->first <= last->last)
        now->first = last->last + 1 <= now->last ? last->last + 1 : now->last;
    (void) strips;
}

bool strips_fit(struct strips *strips, struct row *row, bool grow, struct fitting *fitting)
{
    float margin = MARGIN * row->line.size;

    *fitting = (struct fitting){ 0 };
    for (size_t i = 0; i < row->n; i++) {
        struct segment *segment = &row->segments[i];

        segment->first = segment->last = SIZE_MAX;
        if (find_near(strips, segment, margin, &segment->first, &segment->last)) {
            if (i > 0)
                settle_segment(strips, row, i);
        } else if (grow) {
            if (!add_strip(strips, row, i))
                return false;
            fitting->added++;
        }
    }
    for (size_t i = 0; i < row->n; i++) {
        const struct segment *segment = &row->segments[i];

        if (segment->first == SIZE_MAX)
            continue;
        if (segment->last > segment->first)
            fitting->spans++;
        else if (i > 0 && segment->first == segment[-1].last)
            fitting->shared++;
        else
            fitting->cells++;
        if (grow && segment->first == segment->last)
            widen(strips, segment);
    }
    return true;
}
