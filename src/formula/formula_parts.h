/*
 * formula_parts: words as the parts of a formula. For what finds formulas (formula/formula.h).
 */
#pragma once

#include "formula/formula.h"

#define FORMULA_SMALL 0.85F    /* of a size: what is smaller is a script or a limit */
#define FORMULA_MOST  80       /* words of a formula */
#define FORMULA_WORK  50000000 /* words that are looked at, on a page */

struct formula_search {
    struct arena *arena;
    struct sheet *sheet;
    struct word *words; /* there is room for as many as there are glyphs */
    size_t n, work;
};

struct formula_group {
    struct word *items[FORMULA_MOST];
    size_t n;
    struct area area;
    float size; /* the largest */
};

static inline bool formula_can_take(const struct word *word)
{
    return word->n_glyphs > 0 && !word->turned && !word->dots;
}

static inline float formula_middle(const struct area *area)
{
    return (area->x0 + area->x1) / 2;
}

/* False: there are too many. */
bool formula_put(struct formula_group *group, struct word *word);
bool formula_has(const struct formula_group *group, const struct word *word);
/* The baseline of most of what is not small. */
float formula_base(const struct formula_group *group);
/* All of a word; `space`: there is one before it. */
struct formula *formula_text(struct formula_search *s, const struct word *word, bool space);
/* What stands on one line, with what is raised and lowered there; NULL: something else does. The
 * group is put in its order. */
struct formula *formula_row(struct formula_search *s, struct formula_group *group);
/* Whether a formula of these parts is one: they are there, and not too many in each other. */
bool formula_is_whole(struct formula *formula);
/* One word of all words of the groups, in place of the first one's first. */
void formula_compose(struct formula_search *s, struct formula_group *const *groups, size_t n,
                     struct formula *formula, const struct area *area, float base, float size);

/* Operators with what is below and above them. */
void formula_limits(struct formula_search *s);
/* Fractions and roots, which have a line. */
void formula_lined(struct formula_search *s);
/* Small fractions of letters, in lines of text, become text with a slash. */
void formula_slashes(struct formula_search *s);
