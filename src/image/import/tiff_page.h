/* tiff_page: what tiff.c finds in a directory of a TIFF file (TIFF 6.0), for the files that read
 * its data. */
#pragma once

#include <tiffio.h>

#include "image/import/image_file.h"

struct tiff_page {
    uint32_t width, height;
    uint16_t bits, samples, photometric, compression, planar;
    unsigned depth;   /* bits of a sample after decoding, to which the file's samples are scaled */
    unsigned colours; /* number of colour samples */
    bool alpha;       /* one more sample is opacity */
    bool *cut_off;    /* set if fax data ends too early, which libtiff shows as white */
};

/*
 * Uses the data as it is in the file if PDF allows that: fax coding, a JPEG. 1: done; 0: it must be
 * decoded.
 */
int tiff_read_raw(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                  struct image *image, struct err *err);
/* Decodes and compresses the data. */
int tiff_read_rows(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                   struct image *image, struct err *err);
/* Sets the error for a failure of libtiff to decode. */
static inline int tiff_page_damaged(const struct image_file *file, struct err *err)
{
    return image_corrupt(file, err, "a part of its data is missing or cannot be decoded");
}
