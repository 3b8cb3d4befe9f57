/* Vowel signs of letters that are read from right to left, wherever they were drawn. */
#include "layout/page/rtl_letters.h"

#include <string.h>

#include "layout/page/unicode.h"
#include "tap.h"

#define MOST 8

/* The characters of n glyphs, which are 6 points wide and begin at `x`, in the order of the file;
 * marks have no width, and some are higher than the text. What is in the file's order afterwards,
 * and whether each mark has the place of its letter. */
static bool joins(const uint32_t *codes, const float *x, const uint16_t *flags, size_t n,
                  const uint32_t *wanted, const float *places)
{
    struct glyph glyphs[MOST] = { { 0 } };
    struct page_content content = { .glyphs = glyphs, .n_glyphs = n };
    bool same = true;

    for (size_t i = 0; i < n; i++) {
        bool mark = (codes[i] >= 0x64b && codes[i] <= 0x652) || codes[i] == 0x5b8;

        glyphs[i] = (struct glyph){ .code = codes[i],
                                    .x0 = x[i],
                                    .x1 = x[i] + (mark || flags[i] & GLYPH_MORE ? 0 : 6),
                                    .base = mark ? 97 : 100,
                                    .size = 12,
                                    .flags = flags[i] };
    }
    rtl_letters_join(&content);
    for (size_t i = 0; i < n; i++)
        same = same && glyphs[i].code == wanted[i] && glyphs[i].x0 == places[i] &&
               glyphs[i].base == 100;
    return same && content.n_glyphs == n && content.rtl;
}

/* Strokes between two letters are left out, and the first letter reaches to the second. */
static void leaves_out_strokes(const uint32_t *codes, const float *x)
{
    struct glyph glyphs[4];
    struct page_content content = { .glyphs = glyphs, .n_glyphs = 4 };

    for (size_t i = 0; i < 4; i++)
        glyphs[i] =
            (struct glyph){ .code = codes[i], .x0 = x[i], .x1 = x[i] + 6, .base = 100, .size = 12 };
    rtl_letters_join(&content);
    ok(content.n_glyphs == 2 && glyphs[0].x1 == x[3] && glyphs[1].code == codes[3],
       "strokes that make a word longer are left out");
}

int main(void)
{
    /* Seen with shadda and damma, lam: drawn from left to right, marks first; and as it is read. */
    static const uint32_t drawn[] = { 0x644, 0x64f, 0x651, 0x633 };
    static const uint32_t read[] = { 0x644, 0x633, 0x651, 0x64f };
    static const float drawn_x[] = { 100, 107, 108, 106 };
    static const float read_x[] = { 100, 106, 106, 106 };
    static const uint32_t logical[] = { 0x633, 0x651, 0x64f, 0x644 };
    static const float logical_x[] = { 106, 108, 107, 100 };
    static const float logical_places[] = { 106, 106, 106, 100 };
    /* Lam and alef are one glyph, with a mark before it. */
    static const uint32_t lam[] = { 0x64e, 0x644, 0x627, 0x633 };
    static const uint32_t lam_read[] = { 0x644, 0x627, 0x64e, 0x633 };
    static const float lam_x[] = { 101, 100, 100, 106 }, lam_places[] = { 100, 100, 100, 106 };
    static const uint16_t none[MOST] = { 0 }, more[] = { 0, 0, GLYPH_MORE, 0 };
    static const uint16_t both[] = { 0, 0, GLYPH_MORE, 0 };
    static const uint32_t one[] = { 0x644, 0x64f, 0x651, 0x633 };
    static const uint32_t one_read[] = { 0x644, 0x633, 0x64f, 0x651 };

    static const uint32_t longer[] = { 0x644, UNICODE_KASHIDA, UNICODE_KASHIDA, 0x633 };
    static const float longer_x[] = { 100, 106, 110, 116 };

    leaves_out_strokes(longer, longer_x);
    ok(joins(drawn, drawn_x, none, 4, read, read_x), "marks before their letter go after it");
    ok(joins(logical, logical_x, none, 4, logical, logical_places), "those after it stay there");
    ok(joins(lam, lam_x, more, 4, lam_read, lam_places),
       "a mark goes after all characters of its letter's glyph");
    ok(joins(one, drawn_x, both, 4, one_read, read_x), "marks of one glyph keep their order");
    return done_testing();
}
