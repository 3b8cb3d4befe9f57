/*
 * shapes: what a glyph is that looks exactly like one of a font's kin. Writers cut a font into
 * several of the same name, and now and then tell of one what its characters are, and of another
 * not.
 */
#pragma once

#include "mupdf/mupdf_document.h"

struct glyph_outline {
    uint64_t sum; /* of the outline */
    int code;     /* Unicode */
};

/* Known glyphs of the page's fonts of one name. */
struct glyph_identity {
    char name[64];
    struct glyph_outline *items; /* in order of their sums */
    size_t n, cap;
};

/* The character of a glyph, or 0. Looks at the fonts in the page's own resources; may throw. */
int glyph_identity_find(struct glyph_identity *shapes, fz_context *ctx, pdf_page *page,
                        fz_font *font, int glyph);
void glyph_identity_free(struct glyph_identity *shapes);
