/*
 * font_extent: how far the characters of a font reach above and below the baseline: /Ascent and
 * /Descent of its descriptor (ISO 32000-2, 9.8.1), for the standard fonts their metrics. MuPDF's
 * fonts do not have them: they are noted when a font is loaded (patch_damage.c).
 */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

/* In sizes of the font; both are positive. */
struct font_extent {
    float ascent, descent;
};

/* Remembers those of a font that was loaded from this dictionary, for this thread. */
void font_extent_note(fz_context *ctx, pdf_obj *dict, const pdf_font_desc *font);
/* Those of a font; of one that is not known, what its program says. */
struct font_extent font_extent_find(fz_context *ctx, fz_font *font);
