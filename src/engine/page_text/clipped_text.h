/* clipped_text: leaves out the characters of a text that a clip hides, as where a spreadsheet
 * cuts a text at the edge of its cell (ISO 32000-1, 8.5.4). */
#pragma once

#include "engine/mupdf/mupdf_document.h"

/* Returns a new text with the characters that can be seen within `clip`, which is in the space
 * that `ctm` leads to; NULL if all of them can. May throw. */
fz_text *clipped_text_seen(fz_context *ctx, const fz_text *text, fz_matrix ctm, fz_rect clip);
