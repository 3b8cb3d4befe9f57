/*
 * image: one raster picture, ready to go into a PDF: its size, colour and resolution, and its data
 * in a form that PDF allows (ISO 32000-1, 8.9.5). If the file's own data has such a form, as a
 * JPEG's has, it is referenced unchanged; else it is decoded and compressed without loss.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/err.h"

/* limit of pixels, checked before memory is allocated */
#define IMAGE_PIXELS  (268LL * 1000 * 1000)
#define IMAGE_PALETTE 256 /* limit of the colours of a palette */

enum image_space { IMAGE_GRAY, IMAGE_RGB, IMAGE_CMYK, IMAGE_INDEXED };
enum image_coding {
    IMAGE_JPEG,  /* DCTDecode: a whole JPEG file */
    IMAGE_FLATE, /* FlateDecode, each row after the number of its PNG filter (predictor 15) */
    IMAGE_CCITT, /* CCITTFaxDecode */
};

/* Data in consecutive pieces. */
struct image_data {
    struct iovec *pieces;
    size_t n;
};

/* The colour description of a picture besides its number of components. */
struct image_colour {
    const uint8_t *icc; /* a profile that was checked (image/import/icc.h), or NULL */
    size_t icc_bytes;
    /* Used if there is no profile: values to the power of gamma are linear light; `matrix`
     * converts RGB to XYZ, column by column as in /CalRGB. */
    bool calibrated;
    double gamma, white[3], matrix[9];
};

struct image {
    uint32_t width, height;
    enum image_space space;
    unsigned bits; /* of a component: 1, 2, 4, 8 or 16 */
    bool inverted; /* the smallest value means the most light */
    uint8_t palette[3 * IMAGE_PALETTE];
    unsigned n_palette; /* number of colours */
    struct image_colour colour;

    enum image_coding coding;
    struct image_data data;
    bool plain_rgb; /* a JPEG whose three components are RGB, which the file itself does not say */
    int ccitt_k;    /* of CCITTFaxDecode: -1: Group 4; 0: Group 3; 1: its two-dimensional form */
    bool ccitt_black_is_1, ccitt_aligned;

    /* Opacity, encoded as IMAGE_FLATE: one component of 8 or 16 bits; no pieces: opaque. */
    struct image_data mask;
    unsigned mask_bits;
    bool premultiplied; /* colours were multiplied by opacity, on black */

    double dpi_x, dpi_y; /* of the stored columns and rows; 0: not given */
    int orientation;     /* 1 to 8 (TIFF 6.0, "Orientation") */
    bool icc_dropped;    /* there was an invalid profile */
    bool endless;        /* the file ends without its end marker, and has all pixels */
};

struct image_file;

/*
 * Opens a picture file of `bytes` bytes, of a kind in declare/value/file_kind.h. The file is
 * mapped; fd may be closed afterwards. ERR_CORRUPT_FILE, ERR_UNSUPPORTED_CONTENT.
 */
struct image_file *image_open(int fd, int64_t bytes, struct err *err);
void image_close(struct image_file *file);
static inline void image_close_at(struct image_file **file)
{
    image_close(*file);
}
#define AUTO_IMAGE_FILE __attribute__((cleanup(image_close_at)))

/*
 * Reads the next picture. Returns 1, 0 if there is none left, or -1 with ERR_CORRUPT_FILE (also for
 * a truncated file), ERR_UNSUPPORTED_CONTENT or ERR_LIMIT_EXCEEDED. *image needs no preparation and
 * is valid until the next call for this file.
 */
int image_next(struct image_file *file, struct image *image, struct err *err);
/* Whether the file is an animation, of which only the first picture is read. Known after
 * image_next. */
bool image_is_animated(const struct image_file *file);
