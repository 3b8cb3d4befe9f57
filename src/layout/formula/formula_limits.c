#include <math.h>

#include "base/scope.h"
#include "layout/formula/formula_parts.h"
#include "layout/formula/large.h"

/* "max", "lim" and the like, which have what they are over below them. */
static bool is_operator(const struct word *word)
{
    static const char *const names[] = { "max", "min", "lim", "sup", "inf", "argmax", "argmin" };

    for (size_t i = 0; i < COUNT(names); i++) {
        size_t k = 0;

        while (k < word->n_glyphs && word->glyphs[k].code == (unsigned char) names[i][k])
            k++;
        if (k == word->n_glyphs && names[i][k] == '\0')
            return true;
    }
    return false;
}

/* Whether a word can be a part of what is above or below an operator; of an integral, right of it.
 */
static bool is_limit(const struct word *op, const struct word *word, int side)
{
    float far = (float) side * (word->base - op->base) / op->size;

    if (!formula_accepts(word) || word == op || word->size >= FORMULA_SMALL * op->size)
        return false;
    if (large_is_integral(op))
        return word->area.x0 > formula_middle(&op->area) && far < 1.9F &&
               far > (side < 0 ? 0.75F : 0.5F);
    return side < 0 ? far > 0.75F && far < 1.9F : far > 0.5F && far < 1.8F;
}

static bool is_at(const struct word *op, const struct word *word)
{
    float x = large_is_integral(op) ? word->area.x0 : formula_middle(&word->area);
    float more = large_is_integral(op) ? 0.5F : 0.2F;

    return x > op->area.x0 - more * op->size && x < op->area.x1 + more * op->size;
}

/* A row of small words, nearer to each other than `near` sizes, above or below an operator. */
static bool gather_row(struct formula_search *s, const struct word *op, int side, float near,
                       struct formula_group *group)
{
    bool grown = true;

    *group = (struct formula_group){ 0 };
    for (size_t i = 0; i < s->n; i++)
        if (is_limit(op, &s->words[i], side) && is_at(op, &s->words[i]) &&
            !formula_put(group, &s->words[i]))
            return false;
    while (grown && group->n && s->work < FORMULA_WORK) {
        grown = false;
        s->work += s->n;
        for (size_t i = 0; i < s->n; i++) {
            struct word *word = &s->words[i];
            float gap = fmaxf(word->area.x0 - group->area.x1, group->area.x0 - word->area.x1);

            if (!is_limit(op, word, side) || gap > near * group->size || formula_has(group, word) ||
                fabsf(word->base - group->items[0]->base) > 0.6F * group->size)
                continue;
            if (!formula_put(group, word))
                return false;
            grown = true;
        }
    }
    return group->n &&
           (large_is_integral(op) ||
            fabsf(formula_middle(&group->area) - formula_middle(&op->area)) < 0.35F * op->size);
}

/* Those of the next operator can be near. */
static bool gather_limit(struct formula_search *s, const struct word *op, int side,
                         struct formula_group *group)
{
    return gather_row(s, op, side, 0.3F, group) || gather_row(s, op, side, 0.1F, group);
}

static void make_limits(struct formula_search *s, struct word *op)
{
    struct formula_group above, below, sign = { 0 };
    struct formula_group *groups[3] = { &sign };
    struct formula *formula = ARENA_NEW(s->arena, struct formula);
    struct area area = op->area;
    size_t n = 1;
    bool sum = large_is_sum(op) || large_is_integral(op);

    *formula = (struct formula){ .kind = sum ? FORMULA_SUM : FORMULA_LIMITS,
                                 .at_right = large_is_integral(op),
                                 .size = op->size,
                                 .color = op->glyphs->color };
    if (gather_limit(s, op, 1, &below) && (formula->below = formula_row(s, &below)))
        groups[n++] = &below;
    if (sum && gather_limit(s, op, -1, &above) && (formula->above = formula_row(s, &above)))
        groups[n++] = &above;
    if (!formula_is_whole(formula))
        return;
    formula->base = formula_text(s, op, false);
    formula_put(&sign, op);
    for (size_t i = 1; i < n; i++)
        area_join(&area, &groups[i]->area);
    formula_compose(s, groups, n, formula, &area, op->base, op->size);
}

void formula_limits(struct formula_search *s)
{
    for (size_t i = 0; i < s->n && s->work < FORMULA_WORK; i++) {
        struct word *op = &s->words[i];

        if (!formula_accepts(op) || op->formula ||
            !(large_is_sum(op) || large_is_integral(op) || is_operator(op)))
            continue;
        s->work += 4 * s->n;
        make_limits(s, op);
    }
}
