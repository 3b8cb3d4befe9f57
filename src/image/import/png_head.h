/* png_head: what png.c finds in a PNG file and png_decode.c needs (ISO/IEC 15948). */
#pragma once

#include "image/import/image_file.h"

enum { PNG_GRAY = 0, PNG_RGB = 2, PNG_INDEXED = 3, PNG_GRAY_ALPHA = 4, PNG_RGB_ALPHA = 6 };

struct png_head {
    uint32_t width, height;
    unsigned bits, type;
    bool interlaced;
    bool transparent; /* has tRNS */
};

/* Decodes a file whose structure was checked: sets the picture's data and opacity, and those
 * members of its description that decoding changes. */
int png_decode(struct image_file *file, const struct png_head *head, struct image *image,
               struct err *err);
