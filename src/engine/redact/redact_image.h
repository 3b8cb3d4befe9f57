/* redact_image: cuts pixels of images (ISO 32000-1, 8.9). */
#pragma once

#include "engine/redact/redact_edit.h"

/* The image with its pixels in the areas cut, a new stream; null if it need not change. */
struct obj redact_image_cut(struct redact_edit *edit, struct obj image, struct redact_matrix ctm);
/* The same for an inline image: `dict` is its dictionary with full names. */
struct obj redact_image_cut_inline(struct redact_edit *edit, struct obj dict, struct obj resources,
                                   const unsigned char *data, size_t n, struct redact_matrix ctm);
/* Fills an area of an image of w * h pixels of n samples, whose corners are in pixels from the top
 * left one, in the order of a quad. */
void redact_image_fill(unsigned char *samples, size_t w, size_t h, size_t n,
                       const double corners[static 8], unsigned char value);
