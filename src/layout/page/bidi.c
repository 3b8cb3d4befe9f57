#include "layout/page/bidi.h"

enum way { WAY_NONE, WAY_LTR, WAY_RTL };

/* Which way a word goes: numbers and Latin letters go from left to right, signs go with others. */
static enum way way_of(const struct word *word)
{
    enum way way = WAY_NONE;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        uint32_t c = word->glyphs[i].code;

        if (is_rtl(c))
            return WAY_RTL;
        if (c - '0' < 10 || (c | 0x20) - 'a' < 26 || (c >= 0xc0 && c < 0x2000))
            way = WAY_LTR;
    }
    return way;
}

static void turn(size_t *order, size_t n)
{
    for (size_t i = 0; i + i + 1 < n; i++) {
        size_t kept = order[i];

        order[i] = order[n - 1 - i];
        order[n - 1 - i] = kept;
    }
}

void bidi_words(const struct line *line, size_t skip, bool rtl, size_t *order)
{
    size_t n = line->words.n - skip;
    enum way other = rtl ? WAY_LTR : WAY_RTL;

    for (size_t i = 0; i < n; i++)
        order[i] = skip + i;
    if (rtl)
        turn(order, n);
    /* Words that go the other way are read one after the other, with the signs between them. */
    for (size_t i = 0; i < n; i++) {
        size_t last = i;

        if (way_of(line->words.items[order[i]]) != other)
            continue;
        for (size_t k = i + 1; k < n; k++) {
            enum way way = way_of(line->words.items[order[k]]);

            if (way == other)
                last = k;
            else if (way != WAY_NONE)
                break;
        }
        turn(order + i, last - i + 1);
        i = last;
    }
}

/* A digit of ASCII, of Arabic or of Persian and Urdu: all go from left to right. */
static bool is_digit(uint32_t c)
{
    return c - '0' < 10 || c - 0x660 < 10 || c - 0x6f0 < 10;
}

/* What may stand between two digits of one number or date (Unicode Standard Annex 9, types ES and
 * CS, and the separators of Arabic numbers). */
static bool is_separator(uint32_t c)
{
    return c == '.' || c == ',' || c == ':' || c == '/' || c == 0x60c || c == 0x66b || c == 0x66c;
}

/* Letters that are read from right to left, and were drawn from left to right. */
static bool is_backwards(const struct word *word)
{
    size_t right = 0, pairs = 0;

    for (size_t i = 1; i < word->n_glyphs; i++) {
        uint32_t a = word->glyphs[i - 1].code, b = word->glyphs[i].code;

        if (is_rtl(a) && is_rtl(b) && !(is_digit(a) && is_digit(b))) {
            pairs++;
            right += word->glyphs[i].x0 > word->glyphs[i - 1].x0 + 0.02F * word->size;
        }
    }
    return right * 2 > pairs;
}

/* A vowel sign or accent: it has no width, and does not belong to the letter before it. */
static bool is_mark(uint32_t c)
{
    return (c >= 0x591 && c <= 0x5c7) || (c >= 0x610 && c <= 0x61a) || (c >= 0x64b && c <= 0x65f) ||
           c == 0x670 || (c >= 0x6d6 && c <= 0x6ed);
}

/* One glyph can be several letters, as lam and alef are: they are in the order they are read in,
 * and all but the first have no width. */
static bool goes_on(const struct glyph *glyph)
{
    return is_rtl(glyph->code) && !is_mark(glyph->code) &&
           glyph->x1 - glyph->x0 < 0.01F * glyph->size;
}

/* The end of the number that begins at `from`. */
static size_t number_end(const struct word *word, const size_t *order, size_t from)
{
    size_t end = from;

    for (size_t i = from; i < word->n_glyphs; i++) {
        uint32_t c = word->glyphs[order[i]].code;

        if (is_digit(c))
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
            turn(order + i, end - i);
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
        turn(order, n);
        for (size_t i = 0; i < n; i++) {
            size_t from = i;

            while (i + 1 < n && goes_on(&word->glyphs[order[i]]))
                i++;
            turn(order + from, i - from + 1);
        }
    }
    order_numbers(word, order);
}
