/*
 * formula: finds formulas, written in two dimensions like the equations of a Word document
 * (ECMA-376, Part 1, 22.1): fractions, roots, limits above and below.
 */
#pragma once

#include "layout/page/words.h"

enum formula_kind {
    FORMULA_TEXT,
    FORMULA_FRACTION, /* above, below */
    FORMULA_ROOT,     /* base */
    FORMULA_SCRIPTS,  /* base; below, above or both */
    FORMULA_LIMITS,   /* like scripts, but centred above and below the base */
    FORMULA_SUM       /* like limits; the base is a text, the large operator */
};

struct formula {
    enum formula_kind kind;
    const char *text; /* UTF-8, of a text */
    size_t len, n_glyphs;
    uint16_t font;
    uint32_t color;
    /* font size of a text; for a fraction, that of the text around it */
    float size;
    int depth;                            /* depth of nested parts; 0 for a text */
    bool at_right;                        /* a sum's limits are at its right */
    bool full;                            /* a fraction's parts have the full size */
    struct formula *base, *below, *above; /* the first item of a row each; or NULL */
    struct formula *next;                 /* next item of its row */
};

/* Replaces the words of each formula by one word, which has copies of all its glyphs and is on the
 * baseline of the text around it. Drawn lines that are part of a formula are claimed. *n is
 * then the number of words left. */
void formula_find_all(struct arena *arena, struct page_content *content, struct word *words,
                      size_t *n);
