/*
 * formula_parts: the steps of finding formulas (layout/formula/formula.h), which build formulas
 * from words.
 */
#pragma once

#include "layout/formula/formula.h"

#define FORMULA_SMALL 0.85F    /* times the text's font size: smaller text is a script or limit */
#define FORMULA_MOST  80       /* limit of the words of a formula */
#define FORMULA_WORK  50000000 /* limit of the comparisons of words on a page */

struct formula_search {
    struct arena *arena;
    struct page_content *content;
    struct word *words; /* there is room for as many as there are glyphs */
    size_t n;           /* number of words */
    size_t work;        /* comparisons so far, up to FORMULA_WORK */
};

struct formula_group {
    struct word *items[FORMULA_MOST];
    size_t n;
    struct area area;
    float size; /* the largest one */
};

static inline bool formula_accepts(const struct word *word)
{
    return word->n_glyphs > 0 && !word->rotated && !word->dots;
}

static inline float formula_middle(const struct area *area)
{
    return (area->x0 + area->x1) / 2;
}

/* Adds a word to the group. False if it is full. */
bool formula_put(struct formula_group *group, struct word *word);
bool formula_has(const struct formula_group *group, const struct word *word);
/* The baseline of most of the words that are not small. */
float formula_base(const struct formula_group *group);
/* Makes a text of a whole word; `space`: a space precedes it. */
struct formula *formula_text(struct formula_search *s, const struct word *word, bool space);
/* Makes a row of words on one line, with superscripts and subscripts; NULL: they are something
 * else. Sorts the group. */
struct formula *formula_row(struct formula_search *s, struct formula_group *group);
/* Whether a formula is valid: its parts exist, and it is not nested too deep. */
bool formula_is_whole(struct formula *formula);
/* Replaces all words of the groups by one word, at the place of the first group's first word. */
void formula_compose(struct formula_search *s, struct formula_group *const *groups, size_t n,
                     struct formula *formula, const struct area *area, float base, float size);

/* Finds operators with limits below and above them. */
void formula_limits(struct formula_search *s);
/* Finds fractions and roots, which have a line. */
void formula_lined(struct formula_search *s);
/* Turns small fractions of letters that are in lines of text into text with a slash. */
void formula_slashes(struct formula_search *s);
