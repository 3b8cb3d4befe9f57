/* Every character, and bytes that are none. */
#include "base/utf8.h"
#include "tap.h"

static bool is_whole(uint32_t c)
{
    char text[UTF8_MOST];
    size_t n = utf8_encode(c, text), at = 0;
    uint32_t back = 0;

    return utf8_decode(text, n, &back) == n && back == c && utf8_next(text, n, &at) == c && at == n;
}

static void check_all(void)
{
    int bad = 0;

    for (uint32_t c = 1; c <= 0x10ffff; c++)
        if (c < 0xd800 || c > 0xdfff)
            bad += !is_whole(c);
    is_int(bad, 0, "each character is decoded as it was encoded");
}

static void check_invalid(void)
{
    static const char *const texts[] = { "\x80",         "\xc3",         "\xc0\xaf",
                                         "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                         "\xf8\x88\x80", "a\xe2\x82" };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ok(!utf8_is_valid(texts[i], strlen(texts[i])), "invalid text %zu is rejected", i + 1);
    ok(utf8_is_valid("a\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e", 10), "valid text is accepted");
}

static void check_put(void)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    utf8_put('a', &out);
    utf8_put(0x20ac, &out);
    utf8_put(0x1d11e, &out);
    is_str(buf_text(&out), "a\xe2\x82\xac\xf0\x9d\x84\x9e", "characters are appended as UTF-8");
}

int main(void)
{
    check_all();
    check_invalid();
    check_put();
    return done_testing();
}
