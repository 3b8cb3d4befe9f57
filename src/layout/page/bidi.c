#include "layout/page/bidi.h"

#include <fribidi.h>

static FriBidiCharType type_of(uint32_t c)
{
    return fribidi_get_bidi_type(c);
}

static bool is_number_sign(uint32_t c)
{
    FriBidiCharType type = type_of(c);

    return type == FRIBIDI_TYPE_EN || type == FRIBIDI_TYPE_AN;
}

static void reverse(size_t *order, size_t n)
{
    for (size_t i = 0; i + i + 1 < n; i++) {
        size_t kept = order[i];

        order[i] = order[n - 1 - i];
        order[n - 1 - i] = kept;
    }
}

/* The type of a word: that of its letters, or else of its digits, or of the sign that it is. */
static FriBidiCharType word_type(const struct word *word)
{
    FriBidiCharType type = word->n_glyphs == 1 ? type_of(word->glyphs->code) : FRIBIDI_TYPE_ON;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        uint32_t c = word->glyphs[i].code;

        if (is_rtl(c))
            return FRIBIDI_TYPE_RTL;
        if (type_of(c) == FRIBIDI_TYPE_LTR)
            type = FRIBIDI_TYPE_LTR;
        else if (is_number_sign(c) && type != FRIBIDI_TYPE_LTR)
            type = FRIBIDI_TYPE_EN;
    }
    return type;
}

/*
 * The algorithm finds the places of words that are in reading order; here their places are known.
 * It is its own inverse where numbers are not among words of the other direction. Between two words
 * from right to left, numbers are therefore read as words from left to right if there is such a
 * word, and in a line from left to right always: on a page that was not understood, words are in
 * the order of the file.
 */
static void settle_numbers(FriBidiCharType *types, size_t n, bool rtl)
{
    for (size_t from = 0, end; from < n; from = end + 1) {
        bool letters = !rtl;

        for (end = from; end < n && types[end] != FRIBIDI_TYPE_RTL; end++)
            letters = letters || types[end] == FRIBIDI_TYPE_LTR;
        for (size_t i = from; i < end && letters; i++)
            if (types[i] == FRIBIDI_TYPE_EN)
                types[i] = FRIBIDI_TYPE_LTR;
    }
}

/* The words and the spaces between them, as one paragraph of the algorithm. */
static void reorder(struct arena *arena, const FriBidiCharType *types, size_t n, bool rtl,
                    size_t *order)
{
    FriBidiParType base = rtl ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
    FriBidiStrIndex n_all = (FriBidiStrIndex) (2 * n - 1);
    FriBidiCharType *all = ARENA_ARRAY(arena, FriBidiCharType, 2 * n);
    FriBidiLevel *levels = ARENA_ARRAY(arena, FriBidiLevel, 2 * n);
    FriBidiStrIndex *map = ARENA_ARRAY(arena, FriBidiStrIndex, 2 * n);
    size_t kept = 0;

    for (FriBidiStrIndex i = 0; i < n_all; i++) {
        all[i] = i % 2 ? FRIBIDI_TYPE_WS : types[i / 2];
        map[i] = i;
    }
    if (fribidi_get_par_embedding_levels_ex(all, NULL, n_all, &base, levels) == 0 ||
        fribidi_reorder_line(0, all, n_all, 0, base, levels, NULL, map) == 0)
        longjmp(arena->full, 1);
    for (FriBidiStrIndex i = 0; i < n_all; i++)
        if (map[i] % 2 == 0)
            order[kept++] = (size_t) map[i] / 2;
}

void bidi_words(struct arena *arena, const struct line *line, size_t skip, bool rtl, size_t *order)
{
    size_t n = line->words.n - skip;
    FriBidiCharType *types = ARENA_ARRAY(arena, FriBidiCharType, n + 1);
    bool plain = !rtl;

    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        types[i] = word_type(line->words.items[skip + i]);
        plain = plain && types[i] != FRIBIDI_TYPE_RTL;
    }
    settle_numbers(types, n, rtl);
    if (!plain && n > 1)
        reorder(arena, types, n, rtl, order);
    for (size_t i = 0; i < n; i++)
        order[i] += skip;
}

/* What may stand between two digits of one number or date. */
static bool is_separator(uint32_t c)
{
    return type_of(c) == FRIBIDI_TYPE_CS;
}

/* Letters that are read from right to left, and were drawn from left to right. */
static bool is_backwards(const struct word *word)
{
    size_t right = 0, pairs = 0;

    for (size_t i = 1; i < word->n_glyphs; i++) {
        uint32_t a = word->glyphs[i - 1].code, b = word->glyphs[i].code;

        if (is_rtl(a) && is_rtl(b) && !(is_number_sign(a) && is_number_sign(b))) {
            pairs++;
            right += word->glyphs[i].x0 > word->glyphs[i - 1].x0 + 0.02F * word->size;
        }
    }
    return right * 2 > pairs;
}

/* One glyph can be several letters, as lam and alef are: they are in the order they are read in,
 * and all but the first have no width. A vowel sign has none either, and does not belong to the
 * letter before it. */
static bool goes_with_next(const struct glyph *glyph)
{
    return is_rtl(glyph->code) && type_of(glyph->code) != FRIBIDI_TYPE_NSM &&
           glyph->x1 - glyph->x0 < 0.01F * glyph->size;
}

/* The end of the number that begins at `from`. */
static size_t number_end(const struct word *word, const size_t *order, size_t from)
{
    size_t end = from;

    for (size_t i = from; i < word->n_glyphs; i++) {
        uint32_t c = word->glyphs[order[i]].code;

        if (is_number_sign(c))
            end = i + 1;
        else if (end != i || !is_separator(c))
            break;
    }
    return end;
}

/* Some programs draw numbers in Arabic text from right to left too. */
static void order_numbers(const struct word *word, size_t *order)
{
    for (size_t i = 0; i < word->n_glyphs; i++) {
        size_t end = number_end(word, order, i);

        if (end > i + 1 && word->glyphs[order[i]].x0 > word->glyphs[order[end - 1]].x0)
            reverse(order + i, end - i);
        if (end > i)
            i = end - 1;
    }
}

void bidi_glyphs(const struct word *word, size_t *order)
{
    size_t n = word->n_glyphs;

    for (size_t i = 0; i < n; i++)
        order[i] = i;
    if (is_backwards(word)) {
        reverse(order, n);
        for (size_t i = 0; i < n; i++) {
            size_t from = i;

            while (i + 1 < n && goes_with_next(&word->glyphs[order[i]]))
                i++;
            reverse(order + from, i - from + 1);
        }
    }
    order_numbers(word, order);
}
