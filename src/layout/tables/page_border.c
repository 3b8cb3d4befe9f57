#include "layout/tables/page_border.h"

#include <math.h>
#include <stdlib.h>

#define HIGH       0.5F /* of the page: a border is higher */
#define WIDE       0.6F /* of the page: a border is wider */
#define SAME       4.0F /* points: ends of its lines are at the same place */
#define MOST_SIDES 32   /* lines that can be a side of it */
#define MOST_BANDS 200
#define GAP        1.5F /* sizes of white between parts of a line, at least */
#define SHARED     2    /* lines of several parts with no line between these, at least */
#define FULL       3    /* bands that are not divided, at most, of a page with a table in it */
#define DIVIDED    3    /* rows of that, at least */
#define FREE       0.4F /* of the height: bands that are not divided, at least */

/* The parts of a border between lines that go all across it. */
struct bands {
    struct area area;
    float at[MOST_BANDS];
    size_t n; /* of the lines; bands are between them */
    bool divided[MOST_BANDS];
};

static bool is_all_across(const struct rule *rule, const struct area *area)
{
    return rule->across && rule->from < area->x0 + SAME && rule->to > area->x1 - SAME;
}

static bool is_closed_at(const struct rule_list *rules, const struct area *area, float y)
{
    for (size_t i = 0; i < rules->n; i++)
        if (rules->items[i].width > 0 && fabsf(rules->items[i].at - y) < SAME &&
            is_all_across(&rules->items[i], area))
            return true;
    return false;
}

/* A line that is as long as a side of a border. */
static bool is_side(const struct page_content *content, const struct rule *rule)
{
    return !rule->across && rule->width > 0 && rule->to - rule->from > HIGH * content->height;
}

static int from_top(const void *a, const void *b)
{
    float p = *(const float *) a, q = *(const float *) b;

    return p < q ? -1 : p > q;
}

static void find_bands(const struct rule_list *rules, struct bands *bands)
{
    bands->n = 0;
    for (size_t i = 0; i < rules->n && bands->n < MOST_BANDS; i++)
        if (rules->items[i].at > bands->area.y0 - SAME &&
            rules->items[i].at < bands->area.y1 + SAME &&
            is_all_across(&rules->items[i], &bands->area))
            bands->at[bands->n++] = rules->items[i].at;
    qsort(bands->at, bands->n, sizeof *bands->at, from_top);
    for (size_t b = 0; b + 1 < bands->n; b++) {
        float y = (bands->at[b] + bands->at[b + 1]) / 2;

        bands->divided[b] = false;
        for (size_t i = 0; i < rules->n; i++)
            bands->divided[b] |= !rules->items[i].across && rules->items[i].from < y &&
                                 rules->items[i].to > y &&
                                 rules->items[i].at > bands->area.x0 + SAME &&
                                 rules->items[i].at < bands->area.x1 - SAME;
    }
}

/* Whether a place is in a band that is divided, or else in one that is not. */
static bool is_in_band(const struct bands *bands, float y, bool divided)
{
    for (size_t b = 0; b + 1 < bands->n; b++)
        if (y > bands->at[b] && y < bands->at[b + 1])
            return bands->divided[b] == divided;
    return false;
}

/* How many lines of text have several parts and are in bands that are divided, or that are not. */
static size_t count_parted(const struct bands *bands, const struct line_list *lines, bool divided)
{
    size_t n = 0;

    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->items[i];
        bool several = false;

        for (size_t k = 1; k < line->words.n; k++)
            several |= line->words.items[k]->area.x0 - line->words.items[k - 1]->area.x1 >
                           GAP * line->size &&
                       line->words.items[k - 1]->area.x0 > bands->area.x0 &&
                       line->words.items[k]->area.x1 < bands->area.x1;
        n += several && is_in_band(bands, line->base - 0.3F * line->size, divided);
    }
    return n;
}

/* Whether there is a table next to text that fills a large part of the rectangle. */
static bool has_table_and_text(const struct bands *bands, const struct line_list *lines)
{
    size_t full = 0;
    float height = 0;

    for (size_t b = 0; b + 1 < bands->n; b++) {
        float h = bands->at[b + 1] - bands->at[b];

        full += h > SAME && !bands->divided[b];
        height += bands->divided[b] ? 0 : h;
    }
    return full <= FULL && count_parted(bands, lines, true) >= DIVIDED &&
           height > FREE * area_height(&bands->area);
}

static bool is_of_border(const struct rule *rule, const struct area *area)
{
    if (rule->across)
        return is_all_across(rule, area) &&
               (fabsf(rule->at - area->y0) < SAME || fabsf(rule->at - area->y1) < SAME);
    return (fabsf(rule->at - area->x0) < SAME || fabsf(rule->at - area->x1) < SAME) &&
           rule->from < area->y0 + SAME && rule->to > area->y1 - SAME;
}

static void drop(struct rule_list *rules, const struct area *area)
{
    size_t kept = 0;

    for (size_t i = 0; i < rules->n; i++)
        if (!is_of_border(&rules->items[i], area))
            rules->items[kept++] = rules->items[i];
    rules->n = kept;
    rules_group(rules);
}

void page_border_drop(struct arena *arena, const struct page_content *content, struct word *words,
                      size_t n_words, struct rule_list *rules)
{
    struct rule sides[MOST_SIDES];
    struct bands *bands = ARENA_NEW(arena, struct bands);
    struct line_list lines = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < rules->n && n < MOST_SIDES; i++)
        if (is_side(content, &rules->items[i]))
            sides[n++] = rules->items[i];
    for (size_t i = 0; i < n * n; i++) {
        const struct rule *a = &sides[i / n], *b = &sides[i % n];

        bands->area = (struct area){ a->at, a->from, b->at, a->to };
        if (b->at - a->at < WIDE * content->width || fabsf(a->from - b->from) > SAME ||
            fabsf(a->to - b->to) > SAME || !is_closed_at(rules, &bands->area, a->from) ||
            !is_closed_at(rules, &bands->area, a->to))
            continue;
        if (lines.n == 0)
            lines = words_make_upright_lines(arena, content, words, n_words);
        find_bands(rules, bands);
        if (count_parted(bands, &lines, false) >= SHARED || has_table_and_text(bands, &lines))
            drop(rules, &bands->area);
    }
}
