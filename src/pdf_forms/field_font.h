/* field_font: fonts that the text of form fields is written in (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "pdf/obj.h"

struct field_font {
    struct obj dict;       /* a font of the document; null: the standard font `name` */
    const char *name;      /* one of the standard fonts, without a slash: this one, or what it
                              looks like */
    uint16_t unicode[256]; /* the character of each code; 0: the font has none there */
    uint16_t widths[256];  /* of each code's glyph, in thousandths of the font's size */
};

/* The standard font that comes next to a font's name ("/TiRo", "/ABCDEF+Arial-BoldMT"), in
 * WinAnsiEncoding. */
void field_font_standard(struct field_font *font, const char *like);
/*
 * A font of the form's resources (/DR), borrowed from its dictionary: a simple font whose codes are
 * known, and which is a standard one or is embedded whole. False if text cannot be written in it;
 * `font` holds then what it looks like, as field_font_standard does.
 */
bool field_font_open(struct field_font *font, struct obj dict);
/*
 * Appends the codes of a text in UTF-8, with '\n' for the ends of lines; characters that only
 * direct the layout of text are left out. False if the font lacks a character.
 */
bool field_font_encode(const struct field_font *font, const char *utf8, size_t n, struct buf *out);

/* The character that begins at *at, which is moved past it; 0 at the end of the text. The text is
 * valid UTF-8. */
uint32_t field_font_next(const char *utf8, size_t n, size_t *at);
/* The character of a code from 0x80 to 0xA0 in PDFDocEncoding (annex D); 0: none. */
uint32_t field_font_pdf_doc(unsigned char code);
