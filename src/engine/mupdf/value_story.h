/* value_story: draws values of form fields in scripts that MuPDF's own appearances do not
 * support. */
#pragma once

#include <mupdf/pdf.h>
#include <stdbool.h>

#include "pdf/forms/field_text.h"

/* Whether a text has a character outside the scripts of MuPDF's appearances, which are Latin,
 * Greek, Cyrillic, Chinese, Japanese and Korean. */
bool value_story_is_needed(const char *utf8);
/*
 * Gives a widget an appearance: its frame, and a text (field_text_read) in MuPDF's built-in fonts
 * of all scripts. Throws.
 */
void value_story_draw(fz_context *ctx, pdf_obj *widget, const struct field_text *text,
                      const char *utf8);
