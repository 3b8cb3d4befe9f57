/*
 * replacement_text: puts replacement text (ActualText, ISO 32000-2, 14.9.4) in place of the
 * characters that a page's text got from the marked content.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include <stdbool.h>

/* Where the text of a page ended at some time. */
struct replacement_start {
    const fz_stext_block *block;
    fz_stext_line *line;
    fz_stext_char *last;
};

struct replacement_start replacement_text_start(const fz_stext_page *text);
/* Replaces what came after `start`. Characters that stay the same keep their places; the others are
 * spread over the place of what they replace, and what is dropped becomes U+0000. Nothing is
 * dropped for a blank text but characters that cannot be read. `unreadable_only`: nothing is
 * replaced unless it includes such characters. May throw. */
void replacement_text_put(fz_context *ctx, fz_stext_page *text,
                          const struct replacement_start *start, const char *utf8,
                          bool unreadable_only);
