/*
 * fonts: which font of a Word document stands for one of a PDF. Families that are there wherever
 * Word is keep their name; others become Arial, Times New Roman or Courier New, whose widths are
 * those of the built-in fonts, so that text can be spaced to take the room it took.
 */
#pragma once

#include "reflow/sheet.h"
#include "render/document.h"

struct fonts {
    struct sheet_font *items;
    float (*widths)[256]; /* of characters below 256 in the family, for size 1; 0 not known */
    size_t n, cap, cap_widths;
};

/* The number of a font, which is added when it is new; may throw. Without memory: 0. */
size_t fonts_find(struct fonts *fonts, fz_context *ctx, fz_font *font);
/* The width of a character, or 0. */
float fonts_width(const struct fonts *fonts, size_t font, uint32_t code);
void fonts_free(struct fonts *fonts);
