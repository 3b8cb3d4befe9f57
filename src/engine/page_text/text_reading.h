/*
 * text_reading: reads the text that a MuPDF text device receives and adds what the device does
 * not keep: characters of glyphs without Unicode (by glyph name, by the font program's own table,
 * because a font of the same name has the same glyph, or by likeness to known fonts), boldness by
 * an additional stroke, and transparency.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_text/glyph_identity.h"
#include "engine/page_text/glyph_likeness.h"
#include "layout/page/page_content.h"

struct text_reading_font;

/* A visible glyph that is to be recognised by its likeness. */
struct text_reading_pending {
    struct area area;
    int code; /* its private character */
};

/* Where the text of a page ended at some time. */
struct text_reading_position {
    const fz_stext_block *block;
    fz_stext_line *line;
    fz_stext_char *last;
};

struct text_reading {
    pdf_page *page;
    fz_stext_page *text;                      /* the page's text */
    const fz_text *filled;                    /* the text that was filled last */
    struct text_reading_position before_fill; /* where the text ended before that */
    struct glyph_identity shapes;             /* of the page */
    struct glyph_likeness likeness;           /* to known glyphs */
    struct text_reading_pending *pending;     /* on the page */
    size_t n_pending, cap_pending;
    bool replaced; /* the text gets another one: it does not matter whether it can be read */
    struct page_content *content;    /* receives the areas of glyphs that stay unknown */
    struct text_reading_font *fonts; /* fonts that had glyphs without Unicode */
    size_t n, cap;
    struct { /* what the last font draws for each small letter, by glyph names */
        fz_font *font;
        int glyphs[26];
        bool capitals[26];
    } drawn;
};

/* Puts a device of the reading in front of *device (hook_device.h), a text device that writes to
 * `text`, to run a page into. May throw. */
void text_reading_push(fz_context *ctx, fz_device **device, struct text_reading *reading,
                       pdf_page *page, fz_stext_page *text, struct page_content *content);
/* Recognises the glyphs that are known by nothing but their look, after the page was run. */
void text_reading_settle(struct text_reading *reading, fz_context *ctx);
/* Releases what belongs to the page, before the page is freed. */
void text_reading_end(struct text_reading *reading, fz_context *ctx);
void text_reading_free(struct text_reading *reading, fz_context *ctx);

/* Of the colour of a character the lower 24 bits are one; the next says whether it was stroked to
 * look bold, and those above how unsure it is that it is this character, in percent. */
static inline bool text_reading_is_bold(const fz_stext_char *c)
{
    return (c->color & 0x1000000) != 0;
}

static inline uint8_t text_reading_doubt(const fz_stext_char *c)
{
    return (uint8_t) (((uint32_t) c->color >> GLYPH_LIKENESS_DOUBT) & 0x7f);
}
