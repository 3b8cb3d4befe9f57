/* redact_image: cuts pixels of images (ISO 32000-1, 8.9). */
#pragma once

#include "engine/redact/redact_edit.h"

/* The image with its pixels in the areas cut, a new stream; null if it need not change. */
struct obj redact_image_cut(struct redact_edit *edit, struct obj image, struct redact_matrix ctm);
/* The same for an inline image: `dict` is its dictionary with full names. */
struct obj redact_image_cut_inline(struct redact_edit *edit, struct obj dict, struct obj resources,
                                   const unsigned char *data, size_t n, struct redact_matrix ctm);
