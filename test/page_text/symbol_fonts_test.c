/* What symbol fonts show: ZapfDingbats by the names of its glyphs, others by private characters. */
#include "engine/page_text/symbol_fonts.h"

#include "tap.h"

static void is_character(const char *font, int code, float advance, int want)
{
    int got = symbol_fonts_character(symbol_fonts_find(font), code, advance);

    ok(got == want, "U+%04X of %s is U+%04X, not U+%04X", (unsigned) code, font, (unsigned) want,
       (unsigned) got);
}

static void is_dingbat(const char *name, int want)
{
    int got = symbol_fonts_dingbat(name);

    ok(got == want, "glyph %s of ZapfDingbats is U+%04X, not U+%04X", name, (unsigned) want,
       (unsigned) got);
}

int main(void)
{
    is_dingbat("a1", 0x2701);
    is_dingbat("a71", 0x25cf);
    is_dingbat("a73", 0x25a0);
    is_dingbat("a206", 0x2770);
    is_dingbat("a207", 0);
    is_dingbat("a", 0);
    is_dingbat("a71.alt", 0);
    is_dingbat("b71", 0);
    ok(symbol_fonts_find("ABCDEF+ZapfDingbats") == SYMBOL_FONT_DINGBATS &&
           symbol_fonts_find("D050000L") == SYMBOL_FONT_DINGBATS,
       "ZapfDingbats has two names");
    ok(symbol_fonts_find("SegoeUISymbol") == SYMBOL_FONT_NONE,
       "a font of letters is no symbol font");
    is_character("ABCDEF+SymbolMT", 0xf061, 0.6F, 0x3b1);
    is_character("Symbol", 0xf0b7, 0.5F, 0x2022);
    is_character("Symbol", 'a', 0.6F, 'a');
    is_character("Wingdings-Regular", 0xf0a7, 0.5F, 0x25aa);
    is_character("Wingdings-Regular", 0xf06c, 0.5F, 0x25cf);
    is_character("Wingdings", 'n', 0.8F, 0x25a0);
    is_character("Wingdings", 0x2022, 0.5F, 0x2022);
    is_character("ABCDEF+Wingdings2", 0xf050, 0.8F, 0x2713);
    is_character("ABCDEF+OpenSymbol", 0xf095, 0.4F, 0x2022);
    is_character("ABCDEF+OpenSymbol", 0xe00c, 0.6F, 0x25c6);
    is_character("ABCDEF+OpenSymbol", 0xf06c, 1, 0x25cf);
    is_character("ABCDEF+OpenSymbol", 0xf06c, 0.55F, 0x3bb);
    is_character("CIDFont+F3", 0xf0b7, 0.5F, 0x2022);
    is_character("CIDFont+F3", 0xf061, 0.5F, 0xf061);
    is_character("CIDFont+F3", 0xe00c, 0.5F, 0xe00c);
    is_character("FontAwesome", 0xf0fc, 1, 0xf0fc);
    is_character("Minion", 0xf731, 0.5F, '1');
    is_character("Minion", 0xf8e8, 0.5F, 0xae);
    return done_testing();
}
