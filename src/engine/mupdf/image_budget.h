/*
 * image_budget: charges the work of decoding images (base/effort.h), some of which need far more
 * work or memory than their data suggest.
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>

/* Charges the decoding of an image, down to the lower end of `area` (NULL: all of it). False:
 * the job's budget does not suffice. */
bool image_budget_spend(fz_context *ctx, const fz_image *image, const fz_compressed_buffer *buffer,
                        const fz_irect *area);
/* Charges a JPEG 2000 image of n bytes. False: the job's budget does not suffice, or decoding would
 * need too much memory. */
bool image_budget_spend_jpx(const unsigned char *data, size_t n);
