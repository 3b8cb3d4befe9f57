/* field_font: fonts for the text of form fields (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "pdf/object/obj.h"

#define FIELD_FONT_LEADING 1.156 /* of the standard fonts */

struct field_font {
    bool own;              /* a font of the document; otherwise the standard font `name` */
    const char *name;      /* a standard font, without a slash: this one, or the most similar one */
    uint16_t unicode[256]; /* the character of each code; 0: none */
    uint16_t widths[256];  /* the width of each code's glyph, in thousandths of the font size */
    double leading;        /* the height of a line, in font sizes */
    double middle;         /* the height of a line's middle above its baseline, in font sizes */
};

/* The standard font most similar to a font name ("/TiRo", "/ABCDEF+Arial-BoldMT"), in
 * WinAnsiEncoding. */
void field_font_standard(struct field_font *font, const char *like);
/*
 * A font of the form's resources (/DR): a simple font with a known
 * encoding, which is a standard one or is embedded whole. False if it cannot be used for new text;
 * `font` is then the most similar standard font, as from field_font_standard.
 */
bool field_font_open(struct field_font *font, struct obj dict);
/* Sets the lines of a font by its name ("/ABCDEF+Arial-BoldMT") and by the bottom and the top of
 * its bounding box in thousandths of the font size; 0 and 0 if it has none. */
void field_font_line(struct field_font *font, const char *name, double low, double high);
/*
 * Encodes UTF-8 text, with '\n' as line ends; characters that only control the direction of text
 * are dropped. False if the font lacks a character.
 */
bool field_font_encode(const struct field_font *font, const char *utf8, size_t n, struct buf *out);

/* The character of a code from 0x80 to 0xA0 in PDFDocEncoding (annex D); 0: none. */
uint32_t field_font_pdf_doc(unsigned char code);
