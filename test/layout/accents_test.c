/* Marks that are drawn over a letter. */
#include "base/utf8.h"
#include "layout/page/accents.h"
#include "tap.h"
#include "written.h"

static void put_code(struct test_page *t, float x, float base, uint32_t code)
{
    put(t, x, base, "?");
    t->content.glyphs[t->content.n_glyphs - 1].code = code;
    t->content.glyphs[t->content.n_glyphs - 1].flags = 0;
}

/* A word, in it a letter and a mark that stands at x, above the baseline; and what it becomes. */
static const char *marked(uint32_t letter, uint32_t mark, float x, float up, bool after)
{
    static char text[100];
    struct test_page t;
    size_t n = 0;

    begin(&t);
    put(&t, 50, 100, "xx");
    if (!after)
        put_code(&t, x, 100 - up, mark);
    put_code(&t, 60, 100, letter);
    if (after)
        put_code(&t, x, 100 - up, mark);
    put(&t, 65, 100, "yy");
    accents_join(&t.content);
    for (size_t i = 0; i < t.content.n_glyphs; i++) {
        if (i > 0 && t.content.glyphs[i].flags & GLYPH_FIRST)
            text[n++] = ' ';
        n += utf8_encode(t.content.glyphs[i].code, text + n);
    }
    text[n] = '\0';
    end(&t);
    return text;
}

/* A stroke that takes no room, and the sign that is drawn where it stands. */
static const char *struck(uint32_t sign)
{
    static char text[100];
    struct test_page t;
    size_t n = 0;

    begin(&t);
    put(&t, 50, 100, "x");
    put_code(&t, 57, 100, 0x338);
    t.content.glyphs[1].x1 = 57;
    put_code(&t, 57, 100, sign);
    put_code(&t, 63, 100, '=');
    accents_join(&t.content);
    for (size_t i = 0; i < t.content.n_glyphs; i++)
        n += utf8_encode(t.content.glyphs[i].code, text + n);
    text[n] = '\0';
    end(&t);
    return text;
}

#define MANY 200000

/* What must not be moved for each of them. */
static void test_many(void)
{
    struct page_content content = { .glyphs = calloc(2 * MANY, sizeof *content.glyphs),
                                    .n_glyphs = 2 * MANY };
    bool whole = true;

    for (size_t i = 0; i < 2 * MANY; i++)
        content.glyphs[i] = (struct glyph){
            .code = i % 2 ? 'e' : 0xb4, .x0 = 50, .x1 = 55, .base = 100, .size = 10
        };
    accents_join(&content);
    for (size_t i = 0; i < content.n_glyphs; i++)
        whole = whole && content.glyphs[i].code == 0xe9;
    ok(whole && content.n_glyphs == MANY, "a page of marks is read in one pass");
    free(content.glyphs);
}

int main(void)
{
    is_str(struck('='), "x\u2260=", "a stroke and the equals sign after it become one character");
    is_str(struck(0x2208), "x\u2209=", "a stroke and another sign after it become one character");
    is_str(struck('R'), "xR\u0338=", "a stroke over a letter becomes a combining character");
    is_str(marked('o', 0xa8, 60.3F, 0, false), "xx\u00f6yy",
           "a mark and its letter become one character");
    is_str(marked('E', 0xb4, 60, 2.3F, false), "xx\u00c9yy", "a mark over a capital joins it");
    is_str(marked('e', 0xb4, 60, 0, true), "xx\u00e9yy",
           "a mark that is drawn after its letter joins it");
    is_str(marked(0x131, 0xa8, 60, 0, false), "xx\u00efyy",
           "a mark over a dotless i replaces its dot");
    is_str(marked('c', 0xb8, 60, 0, false), "xx\u00e7yy", "a mark below a letter joins it");
    is_str(marked('x', 0x2c6, 60, 0, false), "xxx\u0302yy",
           "a mark without a character of its own becomes a combining character");
    is_str(marked('e', '`', 57.5F, 0, false), "xx`e yy", "a mark between letters is not joined");
    is_str(marked('=', '~', 60, 0, false), "xx~= yy", "a mark over a sign is not joined");
    is_str(marked('o', 0xa8, 60, 8, false), "xx\u00a8o yy", "a mark of another line is not joined");
    test_many();
    return done_testing();
}
