/* form_values: draws the values of form fields that have no appearance (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>

/*
 * Draws values in fonts of the form's own, in scripts that MuPDF's own appearances do not support,
 * and list boxes, whose selected options MuPDF does not mark. To be called before the page with
 * that number is loaded, because MuPDF then makes appearances for all widgets. Never throws.
 */
void form_values_prepare(fz_context *ctx, pdf_document *doc, int page);
/* Whether form_values_prepare drew a widget, so that MuPDF must not. */
bool form_values_is_drawn(fz_context *ctx, pdf_annot *annot);
/*
 * Gives the widgets of a loaded page an appearance from their field's value, in memory: where the
 * form asks for it (NeedAppearances), and where there is none. A widget whose appearance cannot be
 * made is not changed. Never throws. False: the job's budget (base/effort.h) does not suffice for
 * all of them.
 */
bool form_values_draw(fz_context *ctx, fz_page *page);
/* Units of effort for making the appearance of a widget that has none; 0 for any other
 * annotation. */
double form_values_effort(fz_context *ctx, pdf_annot *annot);
