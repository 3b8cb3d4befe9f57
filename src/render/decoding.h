/* decoding: pictures that take far more work or memory to decode than their data are worth. */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>

/* Charges (base/effort.h) what it takes to decode a picture, down to the lower end of `area` (NULL:
 * all of it). False: the job has no effort left for it, or it would need too much memory. */
bool decoding_spend(fz_context *ctx, const fz_image *image, const fz_compressed_buffer *buffer,
                    const fz_irect *area);
