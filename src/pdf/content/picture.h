/* picture: writes an image as an object of a PDF (ISO 32000-1, 8.9.5), with all that it refers
 * to. */
#pragma once

#include "base/digest.h"
#include "image/import/image.h"
#include "pdf/document/writer.h"

#define PICTURE_PROFILES 64 /* profiles that are written once; more may be repeated */

/* State that pictures of one document share. Starts zeroed. */
struct picture_shared {
    struct {
        char digest[DIGEST_TEXT];
        unsigned number;
    } profiles[PICTURE_PROFILES];
    size_t n;
};

/* Writes the picture; returns the number of its object, or 0. */
unsigned picture_write(struct pdf_writer *writer, struct picture_shared *shared,
                       const struct image *image, struct err *err);
