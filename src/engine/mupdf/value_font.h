/* value_font: values of form fields in fonts of the form's resources (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <mupdf/pdf.h>
#include <stdbool.h>

#include "pdf/forms/field_text.h"

/*
 * Gives a widget an appearance with a text (field_text_read) in the font that its default
 * appearance names. False, and nothing is done, if that is one of the standard fonts under its
 * usual name, is not a simple font, or lacks a character of the text. Throws as MuPDF does.
 */
bool value_font_draw(fz_context *ctx, pdf_obj *widget, struct field_text *text, const char *utf8);
