#include "layout/formula/formula_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "layout/page/unicode.h"

#define DEEPEST 6 /* formulas in each other */

bool formula_put(struct formula_group *group, struct word *word)
{
    if (group->n == FORMULA_MOST)
        return false;
    if (group->n == 0)
        group->area = word->area;
    else
        area_join(&group->area, &word->area);
    group->size = fmaxf(group->size, word->size);
    group->items[group->n++] = word;
    return true;
}

bool formula_has(const struct formula_group *group, const struct word *word)
{
    for (size_t i = 0; i < group->n; i++)
        if (group->items[i] == word)
            return true;
    return false;
}

/* Of the glyphs [from, to) of a word. */
static struct formula *text_of(struct formula_search *s, const struct word *word, size_t from,
                               size_t to, bool space)
{
    struct formula *text = ARENA_NEW(s->arena, struct formula);
    char *utf8 = arena_alloc(s->arena, 16 * word->n_glyphs + 2);
    size_t n = 0;

    if (word->formula) {
        *text = *word->formula;
        return text;
    }
    if (space)
        utf8[n++] = ' ';
    for (size_t i = from; i < to; i++) {
        uint32_t plain[4];
        size_t count = unicode_plain(word->glyphs[i].code, plain);

        for (size_t k = 0; k < count; k++)
            n += unicode_is_text(plain[k]) ? utf8_encode(plain[k], utf8 + n) : 0;
    }
    *text = (struct formula){ .kind = FORMULA_TEXT,
                              .text = utf8,
                              .len = n,
                              .n_glyphs = to - from,
                              .font = word->glyphs->font,
                              .color = word->glyphs->color,
                              .size = word->size };
    return text;
}

struct formula *formula_text(struct formula_search *s, const struct word *word, bool space)
{
    return text_of(s, word, 0, word->n_glyphs, space);
}

static void append_formula(struct formula **row, struct formula *item)
{
    while (*row)
        row = &(*row)->next;
    *row = item;
}

float formula_base(const struct formula_group *group)
{
    float most = 0, base = 0;

    for (size_t i = 0; i < group->n; i++) {
        float width = 0;

        for (size_t k = 0; k < group->n; k++)
            if (group->items[k]->size >= FORMULA_SMALL * group->size &&
                fabsf(group->items[k]->base - group->items[i]->base) < 0.1F * group->size)
                width += area_width(&group->items[k]->area);
        if (width > most && group->items[i]->size >= FORMULA_SMALL * group->size) {
            most = width;
            base = group->items[i]->base;
        }
    }
    return base;
}

/* A word of a row and the scripts at it, below and above. */
struct cluster {
    struct formula *item;
    struct word *below[FORMULA_MOST], *above[FORMULA_MOST];
    size_t n_below, n_above;
};

/* Ends one: its scripts are its, and their words come after its word. */
static void end_cluster(struct formula_search *s, struct cluster *c, struct formula_group *ordered)
{
    struct formula *item = c->item, *base;

    if (c->n_below + c->n_above == 0)
        return;
    base = ARENA_NEW(s->arena, struct formula);
    *base = *item;
    base->next = NULL;
    *item = (struct formula){
        .kind = FORMULA_SCRIPTS, .size = base->size, .color = base->color, .base = base
    };
    for (size_t i = 0; i < c->n_below; i++) {
        append_formula(&item->below, formula_text(s, c->below[i], false));
        ordered->items[ordered->n++] = c->below[i];
    }
    for (size_t i = 0; i < c->n_above; i++) {
        append_formula(&item->above, formula_text(s, c->above[i], false));
        ordered->items[ordered->n++] = c->above[i];
    }
    c->n_below = c->n_above = 0;
}

/* Scripts are at the last letter of a word. */
static struct formula *put_base(struct formula_search *s, struct formula **row,
                                const struct word *word, bool space)
{
    size_t last = word->formula ? 0 : word->n_glyphs - 1;
    struct formula *base;

    if (last > 0)
        append_formula(row, text_of(s, word, 0, last, space));
    base = text_of(s, word, last, word->n_glyphs, space && last == 0);
    append_formula(row, base);
    return base;
}

struct formula *formula_row(struct formula_search *s, struct formula_group *group)
{
    struct formula *row = NULL;
    struct cluster c = { 0 };
    struct formula_group ordered = { 0 };
    float base = formula_base(group);

    qsort(group->items, group->n, sizeof *group->items, words_by_x);
    for (size_t i = 0; i < group->n; i++) {
        struct word *word = group->items[i];
        float up = base - word->base;

        if (fabsf(up) < 0.1F * group->size) {
            bool space = i > 0 && word->area.x0 - group->items[i - 1]->area.x1 > 0.2F * group->size;

            end_cluster(s, &c, &ordered);
            c.item = put_base(s, &row, word, space);
            ordered.items[ordered.n++] = word;
        } else if (!c.item || word->size > FORMULA_SMALL * group->size ||
                   fabsf(up) > 1.1F * group->size) {
            return NULL;
        } else if (up > 0) {
            c.above[c.n_above++] = word;
        } else {
            c.below[c.n_below++] = word;
        }
    }
    end_cluster(s, &c, &ordered);
    memcpy(group->items, ordered.items, ordered.n * sizeof *ordered.items);
    return row;
}

static int deeper(const struct formula *row, int depth)
{
    for (; row; row = row->next) {
        if (row->depth >= depth)
            depth = row->depth + 1;
        if (row->kind == FORMULA_SCRIPTS) {
            depth = deeper(row->base, depth);
            depth = deeper(row->below, depth);
            depth = deeper(row->above, depth);
        }
    }
    return depth;
}

bool formula_is_whole(struct formula *formula)
{
    bool whole = formula->kind == FORMULA_ROOT       ? formula->base != NULL
                 : formula->kind == FORMULA_FRACTION ? formula->above && formula->below
                                                     : formula->above || formula->below;

    formula->depth = deeper(formula->base, 1);
    formula->depth = deeper(formula->below, formula->depth);
    formula->depth = deeper(formula->above, formula->depth);
    return whole && formula->depth <= DEEPEST;
}

void formula_compose(struct formula_search *s, struct formula_group *const *groups, size_t n,
                     struct formula *formula, const struct area *area, float base, float size)
{
    struct word *host = groups[0]->items[0];
    size_t n_glyphs = 0, at = 0;
    struct glyph *glyphs;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < groups[i]->n; k++)
            n_glyphs += groups[i]->items[k]->n_glyphs;
    glyphs = ARENA_ARRAY(s->arena, struct glyph, n_glyphs);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < groups[i]->n; k++) {
            struct word *word = groups[i]->items[k];

            for (size_t g = 0; g < word->n_glyphs; g++)
                glyphs[at++] = word->glyphs[g];
            if (word < host)
                host = word;
            word->n_glyphs = 0;
        }
    for (size_t i = 0; i < n_glyphs; i++) {
        float width = area_width(area) / (float) n_glyphs;

        glyphs[i].x0 = area->x0 + (float) i * width;
        glyphs[i].x1 = glyphs[i].x0 + width;
        glyphs[i].base = base;
        glyphs[i].size = size;
        glyphs[i].width = 0;
    }
    host->glyphs = glyphs;
    host->n_glyphs = n_glyphs;
    host->area = *area;
    host->base = base;
    host->size = size;
    host->formula = formula;
}
