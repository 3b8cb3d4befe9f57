/* clipped_text: leaves out the characters of a text that a clip hides, as where a spreadsheet
 * cuts a text at the edge of its cell (ISO 32000-1, 8.5.4). */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "layout/page/page_content.h"

/* A character that a clip hides, and its origin. */
struct clipped_letter {
    uint32_t code;
    fz_point at;
};

struct clipped_letters {
    struct clipped_letter *items;
    size_t n, cap;
};

/* Returns a new text with the characters that can be seen within `clip`, which is in the space
 * that `ctm` leads to; NULL if all of them can. The others are added to `hidden`. May throw. */
fz_text *clipped_text_seen(fz_context *ctx, const fz_text *text, fz_matrix ctm, fz_rect clip,
                           struct clipped_letters *hidden);
/* How many of the characters are on the page and nowhere to be seen: some producers draw a text
 * several times, each time with a clip of its own. */
size_t clipped_text_count(const struct clipped_letters *hidden, const struct page_content *content);
