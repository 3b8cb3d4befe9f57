/*
 * cut_stream: whether the data of what belongs to a font or an image is cut off, which MuPDF says
 * of all data without an end mark, even if nothing is lost.
 */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>

/* Whether the font's program is, or one of its character maps. */
bool cut_stream_of_font(fz_context *ctx, pdf_document *doc, pdf_obj *font);
/* Whether the table of an image's indexed colors is. */
bool cut_stream_of_colors(fz_context *ctx, pdf_document *doc, pdf_obj *image);
