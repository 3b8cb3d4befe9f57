/*
 * lab: pictures in Lab (ISO 32000-2, 8.6.5.4). Without its library for profiles, MuPDF takes their
 * bytes for numbers of 0 to 1, and all that is left is the brightest of colours.
 */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>

/* Makes of a picture's decoding to 0 to 100 and -128 to 127, or what /Range says, one to bytes. */
void lab_decode(fz_context *ctx, fz_image *image, pdf_obj *object);
/* Converts a picture that was decoded so. False: it is in other colours, or goes to such. */
bool lab_convert(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to);
