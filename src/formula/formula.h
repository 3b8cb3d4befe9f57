/*
 * formula: what is written in two dimensions, as the equations of a Word document have it
 * (ECMA-376, Part 1, 22.1): fractions, roots, limits above and below.
 */
#pragma once

#include "page/words.h"

enum formula_kind {
    FORMULA_TEXT,
    FORMULA_FRACTION, /* above, below */
    FORMULA_ROOT,     /* base */
    FORMULA_SCRIPTS,  /* base; below, above or both */
    FORMULA_LIMITS,   /* the same, in the middle of the base */
    FORMULA_SUM       /* the same, of a large operator, which is the base's text */
};

struct formula {
    enum formula_kind kind;
    const char *text; /* UTF-8, of a text */
    size_t len, n_glyphs;
    uint16_t font;
    uint32_t color;
    float size;                           /* of a text; of what a fraction is in a line with */
    int depth;                            /* of those in it; a text's is 0 */
    bool beside;                          /* a sum's limits are right of it */
    bool full;                            /* a fraction's parts are as large as that */
    struct formula *base, *below, *above; /* the first of a row each; or NULL */
    struct formula *next;                 /* in its row */
};

/* Makes one word of each formula: its glyphs are those of all that is in it, copied, and stand in
 * its line. Lines that are a part of it are used. The words that are left are n. */
void formulas_find(struct arena *arena, struct sheet *sheet, struct word *words, size_t *n);
