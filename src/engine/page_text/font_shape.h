/* font_shape: whether the letters of a font lean or are heavy, by their outlines, where neither its
 * flags nor its name say so. */
#pragma once

#include "engine/mupdf/mupdf_document.h"

#define FONT_SHAPES 64 /* fonts that are remembered */

struct font_shape {
    fz_font *font; /* kept */
    bool bold, italic;
};

struct font_shapes {
    struct font_shape items[FONT_SHAPES];
    size_t n; /* that were measured: the last FONT_SHAPES are remembered */
};

/* Measures a font, once while it is remembered. May throw. */
struct font_shape font_shape_find(struct font_shapes *shapes, fz_context *ctx, fz_font *font);
void font_shape_free(struct font_shapes *shapes, fz_context *ctx);
