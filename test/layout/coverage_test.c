/* Whether a text has a page's words, also those from right to left in which one glyph has several
 * characters. */
#include "layout/page/coverage.h"

#include <string.h>

#include "tap.h"

#define GLYPHS 8

static bool holds(const uint32_t *codes, size_t n, const char *said)
{
    struct glyph glyphs[GLYPHS] = { 0 };
    struct word word = { .glyphs = glyphs, .n_glyphs = n };
    struct buf text = BUF_EMPTY;
    bool result;

    for (size_t i = 0; i < n; i++)
        glyphs[i].code = codes[i];
    buf_puts(&text, said);
    result = coverage_holds(&text, &word, 1);
    buf_free(&text);
    return result;
}

int main(void)
{
    const uint32_t latin[] = { 't', 'e', 'x', 't' };
    /* From left to right: the glyph of lam and alef comes first, and has its own order. */
    const uint32_t arabic[] = { 0x644, 0x627, 0x6a9, 0x62f };
    const uint32_t hebrew[] = { '(', 0x5d1, 0x5d0 };

    ok(holds(latin, 4, "atexts"), "a word is found in a text");
    ok(!holds(latin, 4, "ttex"), "a word with letters in another order is not found");
    ok(holds(arabic, 4, "دکلا"), "a glyph of two characters is found in its own order");
    ok(!holds(arabic, 4, "کد"), "a glyph of two characters has to be in the text");
    ok(holds(hebrew, 3, "אב)"), "a bracket in text from right to left can be mirrored");
    return done_testing();
}
