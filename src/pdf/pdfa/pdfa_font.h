/*
 * pdfa_font: the embedded fonts of a document for PDF/A (ISO 19005-2, 6.2.11): composite fonts with
 * TrueType programs, and fonts of drawn glyphs (Type 3). Others are refused.
 */
#pragma once

#include "pdf/pdfa/pdfa_walk.h"

struct pdfa_font;

/* The font, read when it is met for the first time; it belongs to the walk. NULL if it is refused,
 * with the error set. */
const struct pdfa_font *pdfa_font_find(struct pdfa_walk *walk, struct obj font);
/* Checks the codes of text that is shown: each has a glyph, of the width that the document says,
 * and a character where the level asks for one. -1 with the error set. */
int pdfa_font_check(struct pdfa_walk *walk, const struct pdfa_font *font, const char *bytes,
                    size_t n);
/* Frees the fonts of the walk. */
void pdfa_font_free_all(struct pdfa_walk *walk);
