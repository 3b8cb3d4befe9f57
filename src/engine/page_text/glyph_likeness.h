/*
 * glyph_likeness: recognises glyphs without Unicode by their likeness to those of known fonts. Each
 * unknown glyph gets a private character (a private-use code point of Unicode) while the page is
 * read; then all are recognised together, because a font's own heights distinguish small letters
 * from capitals, and neighbours distinguish l from I. Of a subset all glyphs are compared, whether
 * the page shows them or not. What is found depends on the page and its fonts alone, because
 * several threads read the pages in any order.
 */
#pragma once

#include "engine/page_text/known_looks.h"

#define GLYPH_LIKENESS_FIRST 0xf0000 /* the private character of the first unknown glyph */
#define GLYPH_LIKENESS_MOST  1500    /* limit of the unknown glyphs of a page */
#define GLYPH_LIKENESS_DOUBT 25      /* shift */
#define GLYPH_LIKENESS_BEST  6       /* limit of the candidates of a glyph */

enum glyph_script { GLYPH_COMMON, GLYPH_LATIN, GLYPH_GREEK, GLYPH_CYRILLIC, GLYPH_SCRIPTS };

struct glyph_candidate {
    int code;   /* Unicode */
    float cost; /* how different the two look, 0: equal */
};

struct unknown_glyph {
    fz_font *font; /* kept */
    int glyph;
    bool noted;                                       /* it is on the page */
    bool weighed;                                     /* its candidates have been found */
    struct glyph_look look;                           /* width 0: it has none */
    struct glyph_candidate best[GLYPH_LIKENESS_BEST]; /* by increasing cost */
    size_t n_best;
    float by_script[GLYPH_SCRIPTS];      /* the lowest cost of a character of each script */
    float most;                          /* limit of the cost of a candidate that is accepted */
    float unlikely[GLYPH_LIKENESS_BEST]; /* sum of how badly each candidate fits its neighbours */
    size_t n_seen;                       /* how often it occurs on the page */
    int code;                            /* 0: not known yet, -1: it is like nothing */
};

struct glyph_likeness {
    struct unknown_glyph *items;
    size_t n, cap;
    bool others; /* there are glyphs that do not come from subsets as a whole */
};

/* The private character of a glyph, or 0 if there is no room or it has no outline; may throw. */
int glyph_likeness_note(struct glyph_likeness *likeness, fz_context *ctx, fz_font *font, int glyph);
/* Replaces the private characters of a page's text; those that are like nothing become U+FFFD. How
 * unsure it is that a glyph is the character that it gets, in percent, is put into the bits of the
 * character's colour from GLYPH_LIKENESS_DOUBT on, which fz_stext_page does not use. */
void glyph_likeness_settle(struct glyph_likeness *likeness, const fz_stext_page *text);
/* The character that was found for a private one, or U+FFFD; others are returned as they are. */
int glyph_likeness_code(const struct glyph_likeness *likeness, int code);
/* Forgets what later pages must not depend on, and looks that take too much memory. */
void glyph_likeness_end_page(struct glyph_likeness *likeness, fz_context *ctx);
void glyph_likeness_free(struct glyph_likeness *likeness, fz_context *ctx);
