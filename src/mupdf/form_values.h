/* form_values: form fields whose values have no appearance (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>

/*
 * Draws values in scripts that MuPDF's own appearances do not have, and list boxes, whose selected
 * options MuPDF does not mark, before the page of that number is loaded: MuPDF makes appearances
 * for all widgets as soon as it is. Never throws.
 */
void form_values_prepare(fz_context *ctx, pdf_document *doc, int page);
/* Whether form_values_prepare drew a widget: MuPDF must not. */
bool form_values_is_drawn(fz_context *ctx, pdf_annot *annot);
/*
 * Gives the widgets of a page that was loaded an appearance from their field's value, in memory:
 * where the form asks for it (NeedAppearances), and where there is none. A widget whose appearance
 * cannot be made stays as it is. Never throws. False: the job has too little effort left
 * (base/effort.h) for all of them.
 */
bool form_values_draw(fz_context *ctx, fz_page *page);
/* Units of effort to make the appearance of a widget that has none; 0 for any other annotation. */
double form_values_effort(fz_context *ctx, pdf_annot *annot);
