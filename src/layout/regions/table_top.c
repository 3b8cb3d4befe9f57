#include "layout/regions/table_top.h"

#include <math.h>

#define TITLES   3     /* lines alone, one below the other, that are not heads, at least */
#define LARGER   1.25F /* times the size of the first row: a line of a title */
#define CENTERED 2     /* points: between the middles of lines that are centred */
#define BAR      4.0F  /* times the height of a bar above its text: that of the bar, at most */
#define COVERS   0.6F  /* of a region's width: what a bar covers, at least */

bool table_top_is_above_bar(const struct search *search, const struct region *region, float above,
                            float below)
{
    float from = region->strips.items[0].x0, to = region->strips.items[region->strips.n - 1].x1;
    float covered = 0;

    for (size_t i = 0; i < search->content->n_fills; i++) {
        const struct fill *fill = &search->content->fills[i];
        const struct area *a = &fill->area;

        if (fill->color != 0xffffff && area_height(a) > RULE_WIDTH && a->y0 > above &&
            a->y0 < below && a->y1 > below && area_height(a) < BAR * (below - a->y0))
            covered += fmaxf(0, fminf(a->x1, to) - fmaxf(a->x0, from));
    }
    return covered > COVERS * (to - from);
}

/* Whether a line is drawn between two heights, over most of the region's width. */
static bool has_rule(const struct search *search, const struct region *region, float y0, float y1)
{
    float from = region->strips.items[0].x0, to = region->strips.items[region->strips.n - 1].x1;

    for (size_t i = 0; i < search->rules.n; i++) {
        const struct rule *rule = &search->rules.items[i];

        if (rule->across && rule->width > 0 && rule->at > y0 && rule->at < y1 &&
            fminf(rule->to, to) - fmaxf(rule->from, from) > COVERS * (to - from))
            return true;
    }
    return false;
}

static float middle_of(const struct row *row)
{
    return (row->segments->x0 + row->segments->x1) / 2;
}

/* Whether a row is one line alone, in the middle of the row above it, and no rule is between them.
 */
static bool is_alone(const struct search *search, const struct region *region, size_t row)
{
    const struct row *rows = search->rows.items;

    return rows[row].n == 1 &&
           (row == region->from ||
            (fabsf(middle_of(&rows[row]) - middle_of(&rows[row - 1])) < CENTERED &&
             !has_rule(search, region, rows[row - 1].line.base, rows[row].line.base)));
}

void table_top_drop_titles(const struct search *search, struct region *region, size_t seed)
{
    const struct row *rows = search->rows.items;
    size_t to = region->from;

    while (to < seed && is_alone(search, region, to))
        to++;
    if (to - region->from < TITLES)
        for (to = region->from;
             to < seed && rows[to].n == 1 && rows[to].line.size > LARGER * rows[seed].line.size;)
            to++;
    region->from = to;
}
