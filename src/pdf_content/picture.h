/* picture: an image as an object of a PDF (ISO 32000-1, 8.9.5), with all it refers to. */
#pragma once

#include "base/digest.h"
#include "image_import/image.h"
#include "pdf/writer.h"

#define PICTURE_PROFILES 64 /* remembered, to be written once; more are written again */

/* What pictures of one document have in common. Starts zeroed. */
struct picture_shared {
    struct {
        char digest[DIGEST_TEXT];
        unsigned number;
    } profiles[PICTURE_PROFILES];
    size_t n;
};

/* Writes it; the number of its object, or 0. */
unsigned picture_write(struct pdf_writer *writer, struct picture_shared *shared,
                       const struct image *image, struct err *err);
