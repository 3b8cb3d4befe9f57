#include "layout/regions/drawn.h"

#include <math.h>

#include "layout/page/rules.h"

#define LARGE                                                                                      \
    0.12F /* of the area's width or height: a part of a drawing that is not a sign in a cell */
#define AROUND  1.4F /* of the area's width and height: a drawing that is larger is a background */
#define SMALL   40   /* small drawn parts, as points of a scatter plot, at least */
#define BARS    4    /* boxes without words, at least, with */
#define LENGTHS 3    /* different lengths */
#define STACKED 8    /* boxes of which most begin at places of their own, at least */
#define EDGES   60   /* positions that are distinguished */
#define LOOKED  4000 /* parts that are looked at */

static bool is_inside(const struct area *part, const struct area *area)
{
    return area_has(area, (part->x0 + part->x1) / 2, (part->y0 + part->y1) / 2) &&
           area_width(part) < AROUND * area_width(area) &&
           area_height(part) < AROUND * area_height(area);
}

static bool has_curves(const struct page_content *content, const struct area *area)
{
    size_t small = 0;

    for (size_t i = 0; i < content->n_drawings && i < LOOKED; i++) {
        const struct area *part = &content->drawings[i].area;

        if (!is_inside(part, area))
            continue;
        if (area_width(part) > LARGE * area_width(area) &&
            area_height(part) > LARGE * area_height(area))
            return true;
        small++;
    }
    return small >= SMALL;
}

static bool holds_words(const struct area *area, const struct row *rows, size_t n)
{
    for (size_t r = 0; r < n; r++) {
        if (rows[r].line.base < area->y0 || rows[r].line.area.y0 > area->y1)
            continue;
        for (size_t i = 0; i < rows[r].line.words.n; i++) {
            struct place at = words_middle(rows[r].line.words.items[i]);

            if (area_has(area, at.x, at.y))
                return true;
        }
    }
    return false;
}

/* Boxes of several lengths, in which nothing is written, that go across or up. */
static bool has_bars(const struct page_content *content, const struct area *area,
                     const struct row *rows, size_t n)
{
    float lengths[2][LENGTHS];
    size_t n_lengths[2] = { 0 }, bars = 0;

    for (size_t i = 0; i < content->n_fills && i < LOOKED; i++) {
        const struct fill *fill = &content->fills[i];
        float size[2] = { area_width(&fill->area), area_height(&fill->area) };

        if (fill->stroked || fill->color == 0xffffff || size[0] <= RULE_WIDTH ||
            size[1] <= RULE_WIDTH || size[0] > 0.95F * area_width(area) ||
            !is_inside(&fill->area, area) || holds_words(&fill->area, rows, n))
            continue;
        bars++;
        for (int upright = 0; upright < 2; upright++) {
            bool known = false;

            for (size_t k = 0; k < n_lengths[upright]; k++)
                known = known || fabsf(lengths[upright][k] - size[upright]) < 1;
            if (!known && n_lengths[upright] < LENGTHS)
                lengths[upright][n_lengths[upright]++] = size[upright];
        }
    }
    return bars >= BARS && (n_lengths[0] == LENGTHS || n_lengths[1] == LENGTHS);
}

/* How many places of boxes' edges there are; those nearer than a point are one. */
static size_t add_place(float *places, size_t n, float at)
{
    for (size_t i = 0; i < n; i++)
        if (fabsf(places[i] - at) < 1)
            return n;
    if (n < EDGES)
        places[n++] = at;
    return n;
}

/* Boxes that begin at nearly as many places across the area as there are boxes: parts of bars.
 * Those of a table stand below each other. */
static bool has_stacks(const struct page_content *content, const struct area *area)
{
    float places[EDGES];
    size_t n = 0, boxes = 0;

    for (size_t i = 0; i < content->n_fills && i < LOOKED; i++) {
        const struct fill *fill = &content->fills[i];

        if (fill->stroked || fill->color == 0xffffff || area_width(&fill->area) <= RULE_WIDTH ||
            area_height(&fill->area) <= RULE_WIDTH || !is_inside(&fill->area, area))
            continue;
        n = add_place(places, n, fill->area.x0);
        boxes++;
    }
    return boxes >= STACKED && n * 2 > boxes;
}

bool drawn_is_chart(const struct page_content *content, const struct area *area,
                    const struct row *rows, size_t n)
{
    return has_stacks(content, area) || has_curves(content, area) ||
           has_bars(content, area, rows, n);
}
