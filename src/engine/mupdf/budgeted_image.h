/*
 * budgeted_image: decodes images within the effort of the job (image_budget.h), and CCITT fax
 * images by image/codec/ccitt_gray.h, which decodes and reduces them in one step, with the same
 * result.
 *
 * An image with compressed data is wrapped in an image of our own. The wrapper owns MuPDF's image,
 * and leaves to it what it does not decode itself.
 */
#pragma once

#include <mupdf/fitz.h>

/* Takes an image that MuPDF made, and returns it or its wrapper, with a mask that is wrapped as
 * well. An image that is a wrapper is returned as it is. Drops `inner` and throws if there is no
 * memory. `object`, `mask`: the numbers of the objects, 0 for none, which are noted as damaged
 * (damage.h) if they cannot be decoded completely. */
fz_image *budgeted_image_new(fz_context *ctx, fz_image *inner, int object, int mask);
/* Notes that an image is damaged, if it was when it was decoded before. */
void budgeted_image_note(fz_context *ctx, const fz_image *image);
/* The number of the object of an image; 0: none, or it is not a wrapper. */
int budgeted_image_object(const fz_image *image);
/* What fz_compressed_image_buffer returns for MuPDF's image: for wrappers, too. */
fz_compressed_buffer *budgeted_image_buffer(fz_context *ctx, fz_image *image);
