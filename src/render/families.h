/*
 * families: which font of a Word document stands for one of a PDF. Families that are there wherever
 * Word is keep their name; others become Arial, Times New Roman or Courier New, whose widths are
 * those of the built-in fonts, so that text can be spaced to take the room it took.
 */
#pragma once

#include "reflow/sheet.h"
#include "render/document.h"

struct families {
    struct sheet_font *items;
    float (*widths)[256]; /* of characters below 256 in the family, for size 1; 0 not known */
    size_t n, cap, cap_widths;
};

/* The number of a font, which is added when it is new; may throw. Without memory: 0. */
size_t families_find(struct families *fonts, fz_context *ctx, fz_font *font);
/* The width of a character, or 0. */
float families_width(const struct families *fonts, size_t font, uint32_t code);
void families_free(struct families *fonts);
