/* words: the glyphs of a sheet as words, words as lines, lines cut where there are wide gaps. */
#pragma once

#include "page/arena.h"
#include "page/model.h"

#define ASCENT  0.8F  /* sizes that a word's area goes above its baseline, */
#define DESCENT 0.22F /* and below */

/* A line along a part of a word. */
struct drawn {
    float x0, x1; /* nothing: x0 >= x1 */
    float y;
};

struct word {
    struct area area; /* of its lines: ascent and descent of its size */
    float base, size;
    const struct glyph *glyphs; /* consecutive in the sheet */
    size_t n_glyphs;
    const struct sheet_link *link;
    const struct sheet_note *note;
    uint32_t highlight;        /* or STYLE_PLAIN */
    const struct fill *behind; /* what highlights it */
    struct drawn under, through;
    const struct formula *formula; /* that it is (formula/formula.h); or NULL */
    bool space;                    /* there is a space before it in the file */
    bool turned;                   /* not upright */
    bool apart;                    /* a label, or a header's or footer's */
    bool dots;                     /* of a row of them (page/leaders.h) */
    bool led;                      /* they lead to it */
    unsigned char side;            /* of two columns (reflow/sides.h), or 0 */
    bool initial; /* it was large (paragraph/initial.h); base and size are those of the text */
    bool used;    /* for who takes words away: tables, headers */
};

struct word_list {
    struct word **items;
    size_t n, cap;
};

struct line {
    struct word_list words; /* from left to right */
    struct area area;
    float base, size;  /* of most of it */
    float over, under; /* points by which formulas are taller than its text */
    bool bold, mixed;  /* all of it is; it has both */
};

struct line_list {
    struct line *items;
    size_t n, cap;
};

/* For qsort of pointers to words: from left to right. */
int words_by_x(const void *a, const void *b);
/* All words of a sheet, in the order of the file. */
struct word *words_find(struct arena *arena, const struct sheet *sheet, size_t *n);
/* The words as lines, from top to bottom. `tight`: only what stands on the very same baseline. */
struct line_list lines_make(struct arena *arena, const struct sheet *sheet, struct word **words,
                            size_t n, bool tight);
/* Lines cut at gaps wider than `gap` times their size. */
struct line_list lines_cut(struct arena *arena, const struct sheet *sheet,
                           const struct line_list *lines, float gap);

/* From one line to the next, as it is without formulas that are taller. There are two at least. */
float lines_pitch(const struct line *lines, size_t n);

/* n words of a line, from `from` on; they are the line's. */
struct line line_part(const struct line *line, size_t from, size_t n);

/* The room the first word of a line needs; in a script without spaces, its first character. */
float words_first_width(const struct line *line);
/* Whether a line is in letters of one width, as on a typewriter. */
bool words_are_typed(const struct sheet *sheet, const struct line *line);

/* The middle of a word on the page, of one that is turned too. */
struct place {
    float x, y;
};
struct place word_middle(const struct word *word);

static inline bool area_has(const struct area *area, float x, float y)
{
    return x >= area->x0 && x < area->x1 && y >= area->y0 && y < area->y1;
}

/* Whether a line goes along a glyph, and not only along others of its word. */
static inline bool drawn_along(const struct drawn *drawn, const struct glyph *glyph)
{
    float x = (glyph->x0 + glyph->x1) / 2;

    return x > drawn->x0 && x < drawn->x1;
}

static inline void area_join(struct area *area, const struct area *other)
{
    if (other->x0 < area->x0)
        area->x0 = other->x0;
    if (other->y0 < area->y0)
        area->y0 = other->y0;
    if (other->x1 > area->x1)
        area->x1 = other->x1;
    if (other->y1 > area->y1)
        area->y1 = other->y1;
}

/* Chinese, Japanese, Korean: written without spaces, broken anywhere. */
static inline bool is_cjk(uint32_t c)
{
    return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff00 && c <= 0xff60) ||
           (c >= 0x20000 && c <= 0x3ffff);
}
/* Hebrew, Arabic and their kin. */
static inline bool is_rtl(uint32_t c)
{
    return (c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfdff) ||
           (c >= 0xfe70 && c <= 0xfefc);
}
