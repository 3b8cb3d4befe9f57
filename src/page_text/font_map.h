/*
 * families: which font of a Word document stands for one of a PDF. Families that are there wherever
 * Word is keep their name; others become Arial, Times New Roman or Courier New, whose widths are
 * those of the built-in fonts, so that text can be spaced to take the room it took.
 */
#pragma once

#include "mupdf/mupdf_document.h"
#include "page/sheet.h"

struct font_map {
    struct sheet_font *items;
    float (*widths)[256]; /* of characters below 256 in the family, for size 1; 0 not known */
    size_t n, cap, cap_widths;
};

/* The number of a font among those of its page, to which it is added when it is new. `bold`: its
 * glyphs were made bold. Without memory: 0. */
size_t font_map_name(struct sheet *sheet, fz_context *ctx, fz_font *font, bool bold);
/* Gives the page's glyphs the document's fonts, which those of the page are added to; may throw.
 * `numbers`: room for one of each font of the page. */
void font_map_apply(struct font_map *fonts, fz_context *ctx, struct sheet *sheet,
                    uint16_t *numbers);
/* The width of a character, or 0. */
float font_map_width(const struct font_map *fonts, size_t font, uint32_t code);
void font_map_free(struct font_map *fonts);
