/* glyph_reach: how far the characters of a page reach above and below their baselines. */
#pragma once

#include <mupdf/fitz.h>

#include "layout/page/page_content.h"

/* The index of a character's reach among those of the page; a new one is added. May throw. */
uint16_t glyph_reach_find(fz_context *ctx, struct page_content *content, const fz_stext_char *c);
