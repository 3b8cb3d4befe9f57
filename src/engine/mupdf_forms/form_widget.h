/* form_widget: reads widgets with MuPDF, and gives them appearances (pdf/forms/field_widget.h). */
#pragma once

#include <mupdf/pdf.h>
#include <stdbool.h>

#include "pdf/forms/field_widget.h"

/* Reads a widget of a text field or a choice. False if there is nothing to draw on. *font: the
 * dictionary of widget->font, borrowed, if that is of the document. Throws if its value cannot be
 * drawn. */
bool form_widget_read(fz_context *ctx, pdf_obj *annot, struct field_widget *widget, pdf_obj **font);
/* Makes `content` the normal appearance of an annotation. `kind` is "Font" or "XObject", and
 * `resource` what the content names as /F. Throws. */
void form_widget_give(fz_context *ctx, pdf_obj *annot, const struct field_widget *widget,
                      const char *kind, pdf_obj *resource, const struct buf *content);
/* The same for text in widget->font, whose dictionary is *font if it is of the document. */
void form_widget_give_text(fz_context *ctx, pdf_obj *annot, const struct field_widget *widget,
                           pdf_obj *font, const struct buf *content);
