/* words: groups the glyphs of a page into words, and words into lines that end at wide gaps. */
#pragma once

#include "layout/page/arena.h"
#include "layout/page/model.h"

#define ASCENT  0.8F  /* height of a word's area above its baseline, in font sizes */
#define DESCENT 0.22F /* depth below it */

/* A line drawn along a part of a word. */
struct drawn {
    float x0, x1; /* x0 >= x1: no line */
    float y;
};

/* What a word is in its paragraph. */
enum word_role {
    ROLE_TEXT,
    ROLE_LABEL,      /* of a list: the numbering shows it */
    ROLE_LEADER,     /* leader dots that a tab or the columns of a table show */
    ROLE_AFTER_DOTS, /* text that leader dots lead to */
    ROLE_ELSEWHERE,  /* shown with the page before */
};

struct word {
    struct area area; /* from ascent to descent of its size */
    float base, size;
    const struct glyph *glyphs; /* consecutive in the page's array */
    size_t n_glyphs;
    const struct page_link *link;
    const struct page_note *note;
    const struct page_field *field;
    uint32_t highlight;             /* or STYLE_PLAIN */
    const struct fill *highlighter; /* the fill that highlights it */
    struct drawn under, through;
    const struct formula
        *formula;  /* the formula that the word is (layout/formula/formula.h); or NULL */
    bool space;    /* there is a space before it in the file */
    bool rotated;  /* not upright */
    bool dots;     /* leader dots (layout/page/leaders.h) */
    bool drop_cap; /* a drop cap (layout/paragraph/drop_cap.h); base and size are those of the text
                    */
    bool reserved; /* for a table at the page's edge (layout/page/claim.h) */
    unsigned char side;    /* as `side` of struct item (layout/columns/column_layout.h) */
    enum owner claimed_by; /* what of the model shows it (layout/page/claim.h) */
    enum word_role role;   /* its part in a paragraph of that */
};

struct word_list {
    struct word **items;
    size_t n, cap;
};

struct line {
    struct word_list words; /* from left to right */
    struct area area;
    float base, size;  /* of most of its words */
    float over, under; /* points by which formulas exceed the text's height */
    bool bold, mixed;  /* bold: all words are; mixed: some are */
};

struct line_list {
    struct line *items;
    size_t n, cap;
};

/* For qsort of pointers to words: from left to right. */
int words_by_x(const void *a, const void *b);
/* Finds all words of a page, in the order of the file. */
struct word *words_find(struct arena *arena, const struct page_content *content, size_t *n);
/* Arranges the words as lines, from top to bottom. `tight`: only words on exactly the same
 * baseline share a line. */
struct line_list words_make_lines(struct arena *arena, const struct page_content *content,
                                  struct word **words, size_t n, bool tight);
/* The same for all n words but the rotated ones. */
struct line_list words_make_upright_lines(struct arena *arena, const struct page_content *content,
                                          struct word *words, size_t n);
/* Cuts lines at gaps wider than `gap` times their size. `justified`: but not at the spaces of
 * justified lines, if they are that wide. */
struct line_list words_cut_lines(struct arena *arena, const struct page_content *content,
                                 const struct line_list *lines, float gap, bool justified);

/* The distance between lines, without the extra height of formulas. There must be at least two. */
float words_pitch(const struct line *lines, size_t n);

/* The part of a line that consists of n words from `from` on; the words stay the line's. */
struct line words_line_part(const struct line *line, size_t from, size_t n);

/* The width that a line's first word needs; in a script without spaces, its first character's. */
float words_first_width(const struct line *line);
/* Whether the file has a space right after a word. */
bool words_have_space_after(const struct page_content *content, const struct word *word);
/* Whether a font family is monospaced. */
bool words_is_typed_family(const char *family);
/* Whether a line is set in a monospaced font. */
bool words_are_typed(const struct page_content *content, const struct line *line);

/* The centre of a word on the page, even of a rotated one. */
struct place {
    float x, y;
};
struct place words_middle(const struct word *word);

/* Whether a word is not in the text of its own page: it is in a header, a footer or a picture, or
 * its role says so. */
bool words_is_apart(const struct word *word);
/* Marks the words whose centres are in an area, or within `more` points of it, as shown with the
 * page before, or as text of their own page again. */
void words_set_elsewhere(struct page *page, const struct area *area, float more, bool elsewhere);

static inline bool area_has(const struct area *area, float x, float y)
{
    return x >= area->x0 && x < area->x1 && y >= area->y0 && y < area->y1;
}

/* Whether a line is drawn along this glyph, and not only along others of its word. */
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

/* Whether c is Chinese, Japanese or Korean: written without spaces, lines break anywhere. */
static inline bool is_cjk(uint32_t c)
{
    return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff00 && c <= 0xff60) ||
           (c >= 0x20000 && c <= 0x3ffff);
}
/* Whether c is Korean, which has spaces between words, although lines break anywhere. */
static inline bool is_hangul(uint32_t c)
{
    return (c >= 0x1100 && c <= 0x11ff) || (c >= 0x3130 && c <= 0x318f) ||
           (c >= 0xa960 && c <= 0xa97f) || (c >= 0xac00 && c <= 0xd7ff);
}
/* Whether c is Thai, Lao, Myanmar or Khmer: lines break between words that have no space between
 * them. */
static inline bool is_unspaced(uint32_t c)
{
    return (c >= 0xe00 && c <= 0xeff) || (c >= 0x1000 && c <= 0x109f) ||
           (c >= 0x1780 && c <= 0x17ff) || (c >= 0xa9e0 && c <= 0xa9ff) ||
           (c >= 0xaa60 && c <= 0xaa7f);
}
/* Whether there is a space between two characters of which the second begins a line. `space`: the
 * file has one at the end of the line before. */
static inline bool is_spaced(uint32_t before, uint32_t after, bool space)
{
    if (is_unspaced(before) && is_unspaced(after))
        return space;
    if (is_cjk(before) && is_cjk(after))
        return space && (is_hangul(before) || is_hangul(after));
    return true;
}
/* Whether c belongs to a script written from right to left, such as Hebrew or Arabic. */
static inline bool is_rtl(uint32_t c)
{
    return (c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfdff) ||
           (c >= 0xfe70 && c <= 0xfefc);
}
/* Whether a word is raised or lowered relative to its line. */
enum script words_script(const struct word *word, const struct line *line);
