/* tiff: what tiff.c finds in a directory of a TIFF file (TIFF 6.0), for whoever reads its data. */
#pragma once

#include <tiffio.h>

#include "image_import/format.h"

struct tiff_page {
    uint32_t width, height;
    uint16_t bits, samples, photometric, compression, planar;
    unsigned depth;   /* bits of a sample as it is given on; not as in the file: rescaled to that */
    unsigned colours; /* samples of colour */
    bool alpha;       /* the sample after them is opacity */
    bool *cut_off;    /* becomes true when fax data ends too early: libtiff takes it for white */
};

/*
 * Takes the data as it stands in the file, if a PDF can hold it: fax coding, a JPEG. 1: it was
 * taken; 0: it has to be decoded.
 */
int tiff_take_raw(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                  struct image *image, struct err *err);
/* Decodes and packs it. */
int tiff_take_rows(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                   struct image *image, struct err *err);
/* What a failure of libtiff to decode means. */
int tiff_damaged(const struct image_file *file, struct err *err);
