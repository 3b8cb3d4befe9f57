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
    return done_testing();
}
