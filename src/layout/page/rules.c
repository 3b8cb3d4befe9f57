#include "layout/page/rules.h"

#include <math.h>
#include <stdlib.h>

#define MAX_RULES 6000
#define SHORTEST  5.0F
#define COMPARED  3000 /* limit of fills that each one is compared with */

static void put_rule(struct arena *arena, struct rule_list *list, const struct fill *fill,
                     bool across, float at, float width)
{
    struct rule rule = { .at = at,
                         .from = across ? fill->area.x0 : fill->area.y0,
                         .to = across ? fill->area.x1 : fill->area.y1,
                         .width = width,
                         .color = fill->color,
                         .across = across };

    if (list->n < MAX_RULES && rule.to - rule.from >= (width > 0 ? 2.0F : SHORTEST))
        *ARENA_ADD(arena, list) = rule;
}

/* Adjacent areas are coloured cells: their edges are lines without width. */
static bool has_neighbour(const struct page_content *content, const struct fill *fill)
{
    const struct area *a = &fill->area;

    for (size_t i = 0; i < content->n_fills && i < COMPARED; i++) {
        const struct area *b = &content->fills[i].area;
        bool adjacent = fabsf(a->y0 - b->y0) < RULE_SNAP && fabsf(a->y1 - b->y1) < RULE_SNAP &&
                        (fabsf(a->x1 - b->x0) < RULE_SNAP || fabsf(a->x0 - b->x1) < RULE_SNAP);

        if (adjacent && area_width(b) > RULE_WIDTH && &content->fills[i] != fill)
            return true;
    }
    return false;
}

/* Whether a fill is invisible because a larger one of its colour is under it, such as a shaded
 * line of text in a shaded cell. */
static bool is_hidden(const struct page_content *content, size_t i)
{
    const struct area *a = &content->fills[i].area;

    for (size_t k = i < COMPARED ? 0 : i - COMPARED; k < i; k++) {
        const struct area *b = &content->fills[k].area;

        if (content->fills[k].color == content->fills[i].color && b->x0 <= a->x0 &&
            b->y0 <= a->y0 && b->x1 >= a->x1 && b->y1 >= a->y1 &&
            (area_width(b) > area_width(a) || area_height(b) > area_height(a)))
            return true;
    }
    return false;
}

static void put_edges(struct arena *arena, struct rule_list *list, const struct fill *fill)
{
    put_rule(arena, list, fill, true, fill->area.y0, 0);
    put_rule(arena, list, fill, true, fill->area.y1, 0);
    put_rule(arena, list, fill, false, fill->area.x0, 0);
    put_rule(arena, list, fill, false, fill->area.x1, 0);
}

static int by_rule_place(const void *a, const void *b)
{
    const struct rule *p = a, *q = b;

    if (p->across != q->across)
        return p->across ? -1 : 1;
    return p->at < q->at ? -1 : p->at > q->at ? 1 : p->from < q->from ? -1 : p->from > q->from;
}

/* Merges pieces that continue or cover each other. */
static void merge(struct rule_list *list)
{
    size_t n = 0;

    if (list->n)
        qsort(list->items, list->n, sizeof *list->items, by_rule_place);
    for (size_t i = 0; i < list->n; i++) {
        struct rule *rule = &list->items[i], *to = NULL;

        for (size_t k = n; k-- > 0 && !to;) {
            struct rule *other = &list->items[k];

            if (other->across != rule->across || rule->at - other->at > RULE_SNAP)
                break;
            if (rule->from <= other->to + RULE_SNAP && other->from <= rule->to + RULE_SNAP &&
                (rule->width > 0) == (other->width > 0))
                to = other;
        }
        if (!to) {
            list->items[n++] = *rule;
            continue;
        }
        to->from = fminf(to->from, rule->from);
        to->to = fmaxf(to->to, rule->to);
        if (rule->width > to->width)
            to->width = rule->width;
    }
    list->n = n;
}

static size_t root(const struct rule_list *list, size_t i)
{
    while (list->items[i].group != i)
        i = list->items[i].group;
    return i;
}

static bool touch(const struct rule *a, const struct rule *b)
{
    if (a->across == b->across)
        return fabsf(a->at - b->at) <= RULE_SNAP && a->from <= b->to + RULE_SNAP &&
               b->from <= a->to + RULE_SNAP;
    return a->at >= b->from - RULE_SNAP && a->at <= b->to + RULE_SNAP &&
           b->at >= a->from - RULE_SNAP && b->at <= a->to + RULE_SNAP;
}

void rules_group(struct rule_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        list->items[i].group = i;
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; k < i; k++)
            if (touch(&list->items[i], &list->items[k])) {
                size_t a = root(list, i), b = root(list, k);
                list->items[a > b ? a : b].group = a > b ? b : a;
            }
    for (size_t i = 0; i < list->n; i++)
        list->items[i].group = root(list, i);
}

struct rule_list rules_find(struct arena *arena, const struct page_content *content)
{
    struct rule_list list = { 0 };

    for (size_t i = 0; i < content->n_fills; i++) {
        const struct fill *fill = &content->fills[i];
        float w = area_width(&fill->area), h = area_height(&fill->area);

        if (fill->color == 0xffffff && !fill->stroked && w > RULE_WIDTH && h > RULE_WIDTH)
            continue;
        if (h <= RULE_WIDTH && w > h)
            put_rule(arena, &list, fill, true, (fill->area.y0 + fill->area.y1) / 2, h);
        else if (w <= RULE_WIDTH)
            put_rule(arena, &list, fill, false, (fill->area.x0 + fill->area.x1) / 2, w);
        else if (w * h < 0.5F * content->width * content->height && h > 6 &&
                 has_neighbour(content, fill) && !is_hidden(content, i))
            put_edges(arena, &list, fill);
    }
    merge(&list);
    rules_group(&list);
    return list;
}
