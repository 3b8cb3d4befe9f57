/*
 * symbol_fonts: the characters that the fonts Symbol, Wingdings, Webdings, ZapfDingbats and
 * OpenSymbol show for codes that have no meaning outside of these fonts. Most are in the private
 * use area of Unicode: Windows puts the code N of a symbol font at U+F000 + N.
 */
#pragma once

#include <stdbool.h>

enum symbol_font {
    SYMBOL_FONT_NONE,
    SYMBOL_FONT_SYMBOL,
    SYMBOL_FONT_WINGDINGS,
    SYMBOL_FONT_WINGDINGS_2,
    SYMBOL_FONT_WINGDINGS_3,
    SYMBOL_FONT_WEBDINGS,
    SYMBOL_FONT_DINGBATS,
    SYMBOL_FONT_OPEN, /* OpenSymbol and StarSymbol of LibreOffice */
    SYMBOL_FONT_ICONS /* fonts of icons, whose private characters are their own */
};

/* Which of the fonts has that name, with or without the tag of a subset. */
enum symbol_font symbol_fonts_find(const char *name);
/* The character that the font shows for this one, whose glyph has that advance for size 1. The
 * character itself if the font does not say another. */
int symbol_fonts_character(enum symbol_font font, int code, float advance);
/* The character of a glyph of ZapfDingbats by its name, a1 to a206; 0: it is not one. */
int symbol_fonts_dingbat(const char *name);

/* Whether the character is in the private use area of the Basic Multilingual Plane. */
static inline bool symbol_fonts_is_private(int code)
{
    return code >= 0xe000 && code < 0xf900;
}
