/* redact_label: a short text as outlines, in the fonts of all scripts that MuPDF has: it is drawn,
 * and is not text of the document. */
#pragma once

#include <mupdf/fitz.h>

#include "base/err.h"
#include "engine/redact/redact_shape.h"
#include "pdf/object/obj.h"

struct redact_label {
    struct obj form;      /* a form XObject, whose colour is that of where it is drawn */
    double width, height; /* of the form, in parts of the font's size */
};

/* Draws a line of text. ERR_INVALID_PARAMETER with the field `label` if no font has one of its
 * characters, or none of them can be seen. */
int redact_label_make(struct redact_label *label, fz_context *ctx, qpdf_data q, const char *text,
                      struct err *err);
/* The width of a hole in a line that shows the label at a good size, in parts of the font's size.
 */
double redact_label_wanted(const struct redact_label *label);
/* The transformation that fits the label into a box, in its middle. False: there is no room. */
bool redact_label_fit(const struct redact_label *label, const struct redact_quad *box,
                      struct redact_matrix *m);
