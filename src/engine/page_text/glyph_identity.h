/*
 * glyph_identity: recognises a glyph by its outline in other fonts of the same name. Writers cut a
 * font into several subsets of one name, and some subsets lack the characters (ToUnicode) that
 * others have.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"

struct glyph_outline {
    uint64_t sum; /* hash of the outline */
    int code;     /* its Unicode character */
};

/* Known glyphs of the page's fonts of one name. */
struct glyph_identity {
    char name[64];
    struct glyph_outline *items; /* sorted by their hash */
    size_t n, cap;
};

/* The character of a glyph, or 0. Reads the fonts in the page's own resources; may throw. */
int glyph_identity_find(struct glyph_identity *shapes, fz_context *ctx, pdf_page *page,
                        fz_font *font, int glyph);
void glyph_identity_free(struct glyph_identity *shapes);
