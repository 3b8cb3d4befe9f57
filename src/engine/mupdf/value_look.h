/* value_look: the appearance of a widget, around the value that is drawn in it. */
#pragma once

#include <mupdf/pdf.h>

#include "pdf/forms/field_text.h"

/* Appends the background and the border that the widget asks for (ISO 32000-2, 12.5.6.19). Throws.
 */
void value_look_frame(fz_context *ctx, pdf_obj *widget, const struct field_text *text,
                      fz_buffer *out);
/* Makes `content` the widget's normal appearance, turned as the widget asks. Throws. */
void value_look_give(fz_context *ctx, pdf_obj *widget, const struct field_text *text,
                     pdf_obj *resources, fz_buffer *content);
