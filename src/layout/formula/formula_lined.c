#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "layout/formula/formula_parts.h"
#include "layout/formula/large.h"
#include "layout/page/rules.h"

/* In sizes of the text; where TeX sets things (The TeXbook, appendix G), with room for others. */
#define AXIS    0.25F /* a fraction's line above the baseline */
#define LONGEST 450   /* points of a line that is a fraction's */

/* A word on the line of text that a fraction's line belongs to. */
static const struct word *neighbour(const struct formula_search *s, const struct area *line,
                                    const struct formula_group *above,
                                    const struct formula_group *below)
{
    const struct word *found = NULL;
    float nearest = INFINITY, y = (line->y0 + line->y1) / 2;

    for (size_t i = 0; i < s->n; i++) {
        const struct word *word = &s->words[i];
        float gap = fmaxf(word->area.x0 - line->x1, line->x0 - word->area.x1);

        if (!formula_accepts(word) ||
            fabsf(word->base - y - AXIS * word->size) > 0.12F * word->size ||
            gap < -0.1F * word->size || gap > 1.7F * word->size || gap >= nearest ||
            formula_has(above, word) || formula_has(below, word))
            continue;
        found = word;
        nearest = gap;
    }
    return found;
}

static bool is_within(const struct word *word, const struct area *line)
{
    return word->area.x0 > line->x0 - 1.5F && word->area.x1 < line->x1 + 1.5F;
}

/* How far a word is from a line above (-1) or below it, in its sizes, by its baseline. */
static float distance(const struct word *word, float y, int side)
{
    if (word->formula)
        return side < 0 ? 0.2F + (y - word->area.y1) / word->size
                        : 0.7F + (word->area.y0 - y) / word->size;
    return (side < 0 ? y - word->base : word->base - y) / word->size;
}

/* Whether a word is right above or below a line, or in the line of a formula that is. */
static bool stands_at(struct formula_search *s, const struct area *line, int side,
                      const struct word *word, bool alone)
{
    float y = (line->y0 + line->y1) / 2, far = distance(word, y, side);

    if (side < 0 ? far > 0.02F && far < 0.75F : far > 0.45F && far < 1.3F)
        return true;
    s->work += alone ? 0 : s->n;
    for (size_t i = 0; i < s->n && !alone && s->work < FORMULA_WORK; i++) {
        const struct word *other = &s->words[i];

        if (formula_accepts(other) && other->formula && is_within(other, line) &&
            fabsf(other->base - word->base) < 0.1F * word->size &&
            stands_at(s, line, side, other, true))
            return true;
    }
    return false;
}

/* Words right above or below a line, and small ones next to them. */
static bool gather(struct formula_search *s, const struct area *line, int side,
                   struct formula_group *group)
{
    float y = (line->y0 + line->y1) / 2, size = 0;

    *group = (struct formula_group){ 0 };
    for (size_t i = 0; i < s->n; i++)
        if (formula_accepts(&s->words[i]) && is_within(&s->words[i], line) &&
            stands_at(s, line, side, &s->words[i], false)) {
            size = fmaxf(size, s->words[i].size);
            if (!formula_put(group, &s->words[i]))
                return false;
        }
    for (size_t i = 0; i < s->n && group->n; i++) {
        struct word *word = &s->words[i];
        float far;

        if (!formula_accepts(word) || !is_within(word, line) || formula_has(group, word))
            continue;
        far = distance(word, y, side) * word->size;
        if (word->size < FORMULA_SMALL * size && far > -0.15F * size && far < 1.4F * size &&
            !formula_put(group, word))
            return false;
    }
    return group->n > 0;
}

static bool is_fraction(const struct area *line, const struct formula_group *above,
                        const struct formula_group *below, float size)
{
    float width = fmaxf(area_width(&above->area), area_width(&below->area));

    return area_width(line) - width < 0.9F * size + 1 &&
           fabsf(formula_middle(&above->area) - formula_middle(line)) < 0.35F * size &&
           fabsf(formula_middle(&below->area) - formula_middle(line)) < 0.35F * size &&
           above->size < 1.1F * size && below->size < 1.1F * size;
}

static bool make_fraction(struct formula_search *s, struct fill *line)
{
    struct formula_group above, below, *const both[] = { &above, &below };
    struct formula *formula;
    const struct word *middle;
    struct area area = line->area;
    float size;

    if (!gather(s, &line->area, -1, &above) || !gather(s, &line->area, 1, &below))
        return false;
    middle = neighbour(s, &line->area, &above, &below);
    if (!middle)
        return false;
    /* The size of a large sign is not the text's. */
    size = large_is_sum(middle) || middle->formula ? fmaxf(above.size, below.size) : middle->size;
    if (!is_fraction(&line->area, &above, &below, size))
        return false;
    formula = ARENA_NEW(s->arena, struct formula);
    *formula = (struct formula){ .kind = FORMULA_FRACTION,
                                 .size = size,
                                 .color = line->color,
                                 .full = above.size > FORMULA_SMALL * size };
    formula->above = formula_row(s, &above);
    formula->below = formula_row(s, &below);
    if (!formula_is_whole(formula))
        return false;
    area_join(&area, &above.area);
    area_join(&area, &below.area);
    formula_compose(s, both, COUNT(both), formula, &area, middle->base, size);
    return claim_fill(line, OWNER_FORMULA);
}

/* Makes a word of its own of what is in one from a glyph on. */
static bool split(struct formula_search *s, struct word *word, size_t at)
{
    struct word *rest = &s->words[s->n];

    if (at == 0 || at >= word->n_glyphs)
        return true;
    if (s->n == s->content->n_glyphs || word->formula)
        return false;
    *rest = *word;
    rest->glyphs += at;
    rest->n_glyphs -= at;
    rest->area.x0 = rest->glyphs->x0;
    rest->space = false;
    word->n_glyphs = at;
    word->area.x1 = word->glyphs[at - 1].x1;
    s->n++;
    return true;
}

/* The sign a line goes on from, above what is under the root. */
static struct word *root_sign(struct formula_search *s, const struct area *line)
{
    for (size_t i = 0; i < s->n; i++) {
        struct word *word = &s->words[i];

        if (!formula_accepts(word) || word->formula || word->base - line->y0 < -0.3F * word->size ||
            word->base - line->y0 > 2.5F * word->size)
            continue;
        for (size_t k = 0; k < word->n_glyphs; k++) {
            if (word->glyphs[k].code != 0x221a ||
                fabsf(word->glyphs[k].x1 - line->x0) > 0.2F * word->size)
                continue;
            /* The second word is made first: it is the last then. */
            if (!split(s, word, k + 1) || !split(s, word, k))
                return NULL;
            return k ? &s->words[s->n - 1] : word;
        }
    }
    return NULL;
}

/* A root ends where its line does, if a word does not. */
static bool cut_words(struct formula_search *s, const struct area *line)
{
    for (size_t i = 0, n = s->n; i < n; i++) {
        struct word *word = &s->words[i];
        size_t at = 0;

        if (!formula_accepts(word) || word->formula || word->area.x0 < line->x0 - 1.5F ||
            word->area.x0 > line->x1 - 1 || word->area.x1 < line->x1 + 1.5F ||
            word->base - line->y0 < 0.45F * word->size || word->base - line->y0 > 1.3F * word->size)
            continue;
        while (at < word->n_glyphs &&
               formula_middle(&(struct area){ .x0 = word->glyphs[at].x0,
                                              .x1 = word->glyphs[at].x1 }) < line->x1)
            at++;
        if (!split(s, word, at))
            return false;
    }
    return true;
}

static bool make_root(struct formula_search *s, struct fill *line)
{
    struct word *sign = root_sign(s, &line->area);
    struct formula_group under, all = { 0 }, *const groups[] = { &all, &under };
    struct formula *formula;
    struct area area = line->area;

    if (!sign || !cut_words(s, &line->area) || !gather(s, &line->area, 1, &under) ||
        formula_has(&under, sign) || !formula_put(&all, sign))
        return false;
    formula = ARENA_NEW(s->arena, struct formula);
    *formula = (struct formula){ .kind = FORMULA_ROOT, .size = under.size, .color = line->color };
    formula->base = formula_row(s, &under);
    if (!formula_is_whole(formula))
        return false;
    area.x0 = sign->area.x0;
    area_join(&area, &under.area);
    formula_compose(s, groups, COUNT(groups), formula, &area, formula_base(&under), under.size);
    return claim_fill(line, OWNER_FORMULA);
}

static int by_width(const void *a, const void *b)
{
    float p = area_width(&(*(struct fill *const *) a)->area);
    float q = area_width(&(*(struct fill *const *) b)->area);

    return p < q ? -1 : p > q;
}

/* From the shortest line to the longest: what is in a formula is one before that. */
void formula_lined(struct formula_search *s)
{
    struct fill **lines = ARENA_ARRAY(s->arena, struct fill *, s->content->n_fills);
    size_t n = 0;

    for (size_t i = 0; i < s->content->n_fills; i++) {
        struct fill *fill = &s->content->fills[i];

        if (!fill->claimed_by && area_height(&fill->area) <= RULE_WIDTH / 2 &&
            area_width(&fill->area) > 2 && area_width(&fill->area) < LONGEST)
            lines[n++] = fill;
    }
    if (n)
        qsort(lines, n, sizeof *lines, by_width);
    for (size_t i = 0; i < n && s->work < FORMULA_WORK; i++) {
        s->work += 4 * s->n;
        if (!make_root(s, lines[i]))
            make_fraction(s, lines[i]);
    }
}
