/*
 * tiff_writer: writes rendered pages as TIFF files (TIFF 6.0), by libtiff. A writer is used for one
 * page after another, by one thread at a time; writers share nothing. Its memory holds the
 * compressed picture. tiff_join makes one file of the files of pages.
 *
 * Pages are little-endian, in strips, gray where all pixels are gray. Errors: ERR_LIMIT_EXCEEDED
 * when out of memory or above the size that a TIFF file can have; the errors of the sink.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "image/encode/pixmap.h"
#include "image/encode/sink.h"

#define TIFF_MAX_SIDE 65500 /* limit of a side in pixels, which is that of JPEG strips */

enum tiff_coding {
    TIFF_LZW,     /* with a predictor */
    TIFF_DEFLATE, /* with a predictor */
    TIFF_JPEG,    /* lossy */
    TIFF_G4,      /* CCITT group 4: pages of one bit a pixel, as in mono.h */
};

struct tiff_options {
    double dpi;
    enum tiff_coding coding;
    int quality; /* of JPEG: 1 to 100 */
    bool mono;   /* black and white, 1 bit a pixel, also with LZW and Deflate */
};

struct tiff_writer;

struct tiff_writer *tiff_writer_new(struct err *err);
void tiff_writer_free(struct tiff_writer *writer);

/* Writes a page, which is gray or RGB without alpha. */
int tiff_writer_write(struct tiff_writer *writer, const struct pixmap *pixmap,
                      const struct tiff_options *options, struct sink sink, struct err *err);
/* Write a page in bands: begin, rows from top to bottom, end. RGB is not examined for being gray.
 * After an error only begin may be called. */
int tiff_writer_begin(struct tiff_writer *writer, const struct pixmap *shape,
                      const struct tiff_options *options, struct sink sink, struct err *err);
int tiff_writer_rows(struct tiff_writer *writer, const struct pixmap *band, struct err *err);
int tiff_writer_end(struct tiff_writer *writer, struct err *err);
