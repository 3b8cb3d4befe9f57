#include "layout/page/coverage.h"

#include <string.h>

#include "base/utf8.h"
#include "layout/page/bidi_order.h"
#include "layout/page/unicode.h"

#define LONGEST 400 /* longest part of a word that is searched, in bytes */

/* Spells a word as it may occur in the text; `back`: from its last glyph to its first. */
static size_t spell(const struct word *word, bool back, char *out)
{
    size_t n = 0, length = 0;

    for (size_t i = 0; i < word->n_glyphs && n + 20 < LONGEST; i++) {
        uint32_t c = word->glyphs[back ? word->n_glyphs - 1 - i : i].code, plain[4];
        size_t count = unicode_plain(c, plain);

        /* A hyphen at the end of a line may have been removed. */
        if (c == 0xad || (i + 1 == word->n_glyphs && i > 0 && (c == '-' || c == 0x2010)))
            continue;
        for (size_t k = 0; k < count; k++) {
            length = n;
            n += utf8_encode(plain[k], out + n);
            if (!unicode_is_text(plain[k]))
                n = length;
        }
    }
    return n;
}

/* Finds a word from *at on, or else anywhere. */
static bool find_spelling(const struct buf *text, const char *word, size_t n, size_t *at)
{
    const char *found = memmem(text->data + *at, text->len - *at, word, n);

    if (!found && *at > 0)
        found = memmem(text->data, text->len, word, n);
    if (!found)
        return false;
    *at = (size_t) (found - text->data) + n;
    return true;
}

/* Whether two glyphs are next to each other in the text, in one order or the other. */
static bool has_pair(const struct buf *text, const struct glyph *a, const struct glyph *b)
{
    const struct glyph both[2][2] = { { *a, *b }, { *b, *a } };

    for (size_t i = 0; i < 2; i++) {
        struct word pair = { .glyphs = both[i], .n_glyphs = 2 };
        char spelt[LONGEST];
        size_t length = spell(&pair, false, spelt);

        if (length && memmem(text->data, text->len, spelt, length))
            return true;
    }
    return false;
}

/* Whether a sign, or the one that mirrors it, is in the text: those of a word from left to right
 * can be at its other end. */
static bool has_sign(const struct buf *text, uint32_t code)
{
    uint32_t mirrored = bidi_mirrored(code);
    char sign[8], other[8];

    return !bidi_is_letter_ltr(code) && !bidi_is_letter_rtl(code) && !bidi_is_digit(code) &&
           (memmem(text->data, text->len, sign, utf8_encode(code, sign)) ||
            (mirrored && memmem(text->data, text->len, other, utf8_encode(mirrored, other))));
}

/* How many bytes of a word are in the text next to a glyph that is at most two glyphs away. On a
 * page with text from right to left, where a glyph has several characters, or digits are among
 * letters, neither of the word's spellings is what was written. */
static size_t find_glyphs(const struct buf *text, const struct word *word)
{
    size_t sum = 0;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        struct word alone = { .glyphs = &word->glyphs[i], .n_glyphs = 1 };
        char spelt[LONGEST];
        bool found = has_sign(text, word->glyphs[i].code);

        for (size_t k = i < 2 ? 0 : i - 2; k <= i + 2 && k < word->n_glyphs && !found; k++)
            found = k != i && has_pair(text, &word->glyphs[i], &word->glyphs[k]);
        sum += found ? spell(&alone, false, spelt) : 0;
    }
    return sum;
}

static bool has_rtl(const struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < words[i].n_glyphs; k++)
            if (is_rtl(words[i].glyphs[k].code))
                return true;
    return false;
}

bool coverage_holds(const struct buf *text, const struct word *words, size_t n)
{
    size_t wanted = 0, found = 0, at = 0;
    bool rtl = has_rtl(words, n);

    for (size_t i = 0; i < n; i++) {
        char word[LONGEST];
        size_t length = spell(&words[i], false, word);

        if (words_is_apart(&words[i]) || length == 0)
            continue;
        wanted += length;
        if (text->len &&
            (find_spelling(text, word, length, &at) ||
             (length = spell(&words[i], true, word), find_spelling(text, word, length, &at))))
            found += length;
        else if (text->len && rtl)
            found += find_glyphs(text, &words[i]);
    }
    /* Equal words may be found at the same place again and again: the text must be long enough
     * for all. */
    return found * 100 >= wanted * 98 && text->len * 100 >= wanted * 98;
}
