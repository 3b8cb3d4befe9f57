/* form_values: draws the values of form fields that have no appearance (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>

/*
 * Loads a page of a document, whose widgets get their values drawn, in memory: where the form asks
 * for it (NeedAppearances), and where they have no appearance. Before MuPDF does, which makes
 * appearances for all widgets that have none, values are drawn that it cannot draw: in fonts of the
 * form's own, in more scripts, and in list boxes, whose selected options it does not mark. A widget
 * whose appearance cannot be made is not changed. Throws if the page cannot be loaded. *whole (may
 * be NULL): the job's budget (base/effort.h) sufficed for all of them; the others stay blank.
 */
fz_page *form_values_load_page(fz_context *ctx, pdf_document *doc, int number, bool *whole);
