/*
 * reading: hears what is shown to a text device before the device does, and tells it more: which
 * characters glyphs are of that the file has no Unicode for (by their name, by the font program's
 * own table, or because a font of the same name has the same glyph), which are bold because they
 * are stroked too, and how pale they are. MuPDF's device keeps none of that.
 */
#pragma once

#include "mupdf/mupdf_document.h"
#include "page/sheet.h"
#include "page_text/glyph_identity.h"

struct text_reading_font;

struct text_reading {
    pdf_page *page;
    fz_stext_page *text;             /* of the page */
    const fz_text *filled;           /* last; kept */
    struct glyph_identity shapes;    /* of the page */
    struct sheet *sheet;             /* takes the places of glyphs that stay without meaning */
    struct text_reading_font *fonts; /* that had such glyphs; kept */
    size_t n, cap;
    struct { /* what the last font draws for each small letter, by glyphs' names */
        fz_font *font;
        int glyphs[26];
        bool capitals[26];
    } drawn;
};

/* Listens to a text device that was just made, and writes to `text`, while a page is run into it.
 */
void text_reading_watch(struct text_reading *reading, fz_device *device, pdf_page *page,
                        fz_stext_page *text, struct sheet *sheet);
/* After that, before the page is freed. */
void text_reading_end(struct text_reading *reading, fz_context *ctx);
void text_reading_free(struct text_reading *reading, fz_context *ctx);

/* Whether a character was stroked to look bold; its colour is in the lower 24 bits. */
static inline bool text_reading_is_bold(const fz_stext_char *c)
{
    return (c->color & 0x1000000) != 0;
}
