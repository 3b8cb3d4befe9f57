/*
 * font_map: chooses a font of the Word document for each font of the PDF. Families that are
 * installed wherever Word is keep their names; others become Arial, Times New Roman or Courier New,
 * whose widths equal those of the built-in fonts, so that text can be spaced to keep its width.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_text/font_shape.h"
#include "layout/page/page_content.h"

struct font_map {
    struct page_font *items;
    /* widths of characters below 256 in the family, for size 1; 0: not known */
    float (*widths)[256];
    size_t n, cap, cap_widths;
};

/* A font's name without the tag of a subset, "ABCDEF+" (ISO 32000-2, 9.9.2). */
const char *font_map_base_name(const char *name);
/* The index of a font among those of its page; a new one is added. `bold`: its glyphs were
 * emboldened. Returns 0 without memory. May throw. */
size_t font_map_name(struct page_content *content, fz_context *ctx, fz_font *font, bool bold,
                     struct font_shapes *shapes);
/* Replaces the page's font indices in its glyphs by those of the document, adding new fonts; may
 * throw. `numbers`: scratch space for one number for each font of the page. */
void font_map_apply(struct font_map *fonts, fz_context *ctx, struct page_content *content,
                    uint16_t *numbers);
/* The width of a character in a font, in parts of its size, or 0 if it is not known. */
float font_map_width(const struct font_map *fonts, size_t font, uint32_t code);
void font_map_free(struct font_map *fonts);
