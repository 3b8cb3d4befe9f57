/* redact_parse: objects for MuPDF made of their text. */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

/* The object that `text` is, in which references are those of `pdf`. Throws. */
pdf_obj *redact_parse(fz_context *ctx, pdf_document *pdf, const char *text);
