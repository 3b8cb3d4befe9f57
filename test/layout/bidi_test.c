/* The order in which the glyphs of words are read that go from right to left. */
#include <stdlib.h>

#include "layout/page/bidi.h"
#include "tap.h"

#define MOST 16

/* What is read of a word whose glyphs stand from left to right as `codes` says, each 5 points wide.
 */
static bool reads(const uint32_t *codes, const uint32_t *wanted, bool logical)
{
    struct glyph glyphs[MOST] = { { 0 } };
    struct word word = { .glyphs = glyphs, .size = 10 };
    size_t order[MOST];

    while (word.n_glyphs < MOST && codes[word.n_glyphs])
        word.n_glyphs++;
    for (size_t i = 0; i < word.n_glyphs; i++) {
        size_t at = logical ? word.n_glyphs - 1 - i : i;

        glyphs[at] = (struct glyph){
            .code = codes[i], .x0 = 5 * (float) i, .x1 = 5 * (float) i + 5, .size = 10
        };
    }
    bidi_glyphs(&word, order);
    for (size_t i = 0; i < word.n_glyphs; i++)
        if (glyphs[order[i]].code != wanted[i])
            return false;
    return true;
}

/* The order in which words that are drawn from left to right are read. Letters of `drawn` are
 * words: small letters go from right to left, capitals from left to right, digits are numbers. */
static void reads_words(const char *drawn, bool rtl, const char *wanted, const char *what)
{
    static struct arena arena;
    struct glyph glyphs[MOST] = { { 0 } };
    struct word words[MOST] = { 0 }, *list[MOST];
    struct line line = { .words = { .items = list } };
    size_t order[MOST];
    char read[MOST + 1] = "";

    for (size_t i = 0; drawn[i]; i++) {
        uint32_t c = (unsigned char) drawn[i];

        glyphs[i].code = c - 'a' < 26 ? 0x628 + (c - 'a') : c;
        words[i] = (struct word){ .glyphs = &glyphs[i], .n_glyphs = 1 };
        list[line.words.n++] = &words[i];
    }
    bidi_words(&arena, &line, 0, rtl, order);
    for (size_t i = 0; i < line.words.n; i++)
        read[i] = drawn[order[i]];
    arena_free(&arena);
    is_str(read, wanted, "%s", what);
}

static void reads_lines(void)
{
    reads_words("ABC", false, "ABC", "words of a line from left to right are read so");
    reads_words("abc", true, "cba", "words of a line from right to left are read so");
    reads_words("aXYc", true, "cXYa", "words from left to right in it are read so");
    reads_words("a-b", false, "b-a", "words from right to left in another line are read so");
    reads_words("AbcD", false, "AcbD", "in their place");
    reads_words("a2X", true, "2Xa", "a number next to such a word is read with it");
    reads_words("aX2", true, "X2a", "on either side");
    reads_words("a2-1", true, "1-2a", "numbers alone follow one another from right to left");
    reads_words("b21a", true, "a12b", "between words too");
    reads_words("b21a", false, "b21a", "but not in a line from left to right");
    reads_words("1ab", false, "1ba", "a number at the beginning of such a line stays there");
    reads_words("ab1", false, "ba1", "and so does one at its end");
}

int main(void)
{
    static const uint32_t year[] = { 0x6f1, 0x6f4, 0x6f0, 0x6f2, 0 };
    static const uint32_t date[] = { 0x661, 0x664, '/', 0x665, 0x661, 0 };
    static const uint32_t drawn[] = { 0x6f1, 0x6f2, 0x6f3, 0x635, 0 };
    static const uint32_t read[] = { 0x635, 0x6f1, 0x6f2, 0x6f3, 0 };
    static const uint32_t word[] = { 0x5d2, 0x5d1, 0x5d0, 0 },
                          turned[] = { 0x5d0, 0x5d1, 0x5d2, 0 };

    ok(reads(year, year, false), "a number of Persian digits is read from left to right");
    ok(reads(year, year, true), "and so is one that was drawn from right to left");
    ok(reads(date, date, false), "a date of Arabic digits is read from left to right");
    ok(reads(drawn, read, false), "a number after a letter is read after it, from left to right");
    ok(reads(drawn, read, true), "and so is one of a word that was drawn from right to left");
    ok(reads(word, turned, false), "letters are read from right to left");
    ok(reads(word, turned, true), "in whichever order they were drawn");
    reads_lines();
    return done_testing();
}
