/* value_story: draws values of form fields in scripts that no font of the form has. */
#pragma once

#include <mupdf/pdf.h>

#include "pdf/forms/field_widget.h"

struct value_story {
    struct field_painter painter; /* must be the first member */
    fz_context *ctx;
    pdf_document *doc;
    pdf_obj *form; /* the picture, or NULL */
};

/* Begins the picture of one widget: story->painter draws text in MuPDF's built-in fonts of all
 * scripts. */
void value_story_begin(struct value_story *story, fz_context *ctx, pdf_document *doc);
/* Makes it the widget's appearance, whose content is appended to `content`. Throws. */
void value_story_give(struct value_story *story, pdf_obj *annot, const struct field_widget *widget,
                      struct buf *content);
