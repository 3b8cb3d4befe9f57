/* redact_font: measures glyphs as MuPDF does when it shows them, from the strings of content
 * streams. */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/redact/redact_map.h"
#include "pdf/object/obj.h"

struct redact_fonts {
    fz_context *ctx;
    pdf_document *pdf; /* the same document as the one of the objects, with the same numbers */
    struct redact_font {
        int64_t id; /* 0: a direct object */
        pdf_font_desc *desc;
        bool lost; /* glyphs that are shown in it were removed */
        struct redact_map map;
    } * items;
    size_t n, cap;
};

#define REDACT_FONT_TEXT REDACT_MAP_TEXT /* characters of one glyph, at most */

/* Lengths are parts of the font's size. */
struct redact_glyph {
    size_t bytes; /* of its code: at least 1 */
    bool space;   /* a code of one byte that is 32, to which word spacing is added */
    bool shown;   /* the code has a glyph, which moves the position */
    bool vertical;
    double advance; /* to the right; downwards, negative, if it is vertical */
    double x, y;    /* of a vertical glyph: from its origin back to that of horizontal writing */
    double width;   /* of the glyph itself, also of a vertical one */
    uint32_t text[REDACT_FONT_TEXT]; /* its characters, 0 where that is not known */
    size_t n_text;
};

/* The font of a resource: NULL if it cannot be loaded, as for a null object. */
pdf_font_desc *redact_font_load(struct redact_fonts *fonts, struct obj font);
/* Reads the glyph at the beginning of n bytes (1 or more) of a string. */
void redact_font_glyph(struct redact_fonts *fonts, pdf_font_desc *desc, const char *bytes, size_t n,
                       struct redact_glyph *glyph);
/* Notes that glyphs of the font were removed. */
void redact_font_note(struct redact_fonts *fonts, const pdf_font_desc *desc);
void redact_font_free(struct redact_fonts *fonts);
