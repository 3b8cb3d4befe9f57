/*
 * image: one raster picture, ready to go into a PDF: its size, colour and resolution, and its
 * data as a PDF can hold it (ISO 32000-1, 8.9.5). Where the file's own data is such, as a JPEG's
 * is, it is pointed to and not touched; else it is decoded and packed without loss.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/err.h"

#define IMAGE_PIXELS  (268LL * 1000 * 1000) /* more are refused before memory is taken */
#define IMAGE_PALETTE 256

enum image_space { IMAGE_GRAY, IMAGE_RGB, IMAGE_CMYK, IMAGE_INDEXED };
enum image_coding {
    IMAGE_JPEG,  /* DCTDecode: a whole JPEG file */
    IMAGE_FLATE, /* FlateDecode, each row after its PNG filter's number (predictor 15) */
    IMAGE_CCITT, /* CCITTFaxDecode */
};

/* Data in pieces, one after another. */
struct image_data {
    struct iovec *pieces;
    size_t n;
};

/* What a picture says of its colours besides their number. */
struct image_colour {
    const uint8_t *icc; /* a profile that was judged (image_import/icc.h), or NULL */
    size_t icc_bytes;
    /* Else, if set: values to the power of gamma are linear light; of RGB, `matrix` brings it to
     * XYZ, column by column as /CalRGB has it. */
    bool calibrated;
    double gamma, white[3], matrix[9];
};

struct image {
    uint32_t width, height;
    enum image_space space;
    unsigned bits; /* of a component: 1, 2, 4, 8, 16 */
    bool inverted; /* the least value is the most light of what it would be */
    uint8_t palette[3 * IMAGE_PALETTE];
    unsigned n_palette; /* colours */
    struct image_colour colour;

    enum image_coding coding;
    struct image_data data;
    bool plain_rgb; /* a JPEG's three components are RGB, and only we know */
    int ccitt_k;    /* of CCITTFaxDecode: -1 is Group 4, 0 Group 3, 1 its two-dimensional form */
    bool ccitt_black_is_1, ccitt_aligned;

    /* Opacity, coded as IMAGE_FLATE: one component of 8 or 16 bits; no pieces: opaque. */
    struct image_data mask;
    unsigned mask_bits;
    bool premultiplied; /* colours were multiplied by it, on black */

    double dpi_x, dpi_y; /* of the stored columns and rows; 0: the file does not say */
    int orientation;     /* 1 to 8 (TIFF 6.0, "Orientation") */
    bool icc_dropped;    /* there was a profile that is none */
};

struct image_file;

/*
 * Opens a picture file of a kind that tool/file_kind.h knows, `bytes` long. Its bytes are read as
 * they are needed; fd may be closed afterwards. ERR_CORRUPT_FILE, ERR_UNSUPPORTED_CONTENT.
 */
struct image_file *image_open(int fd, int64_t bytes, struct err *err);
void image_close(struct image_file *file);
static inline void image_close_at(struct image_file **file)
{
    image_close(*file);
}
#define AUTO_IMAGE_FILE __attribute__((cleanup(image_close_at)))

/*
 * The next picture: 1, or 0 when there is none left; -1 with ERR_CORRUPT_FILE (also for a file that
 * is cut off, or holds less than it says), ERR_UNSUPPORTED_CONTENT or ERR_LIMIT_EXCEEDED. *image
 * needs no preparation and is valid until the next call for this file.
 */
int image_next(struct image_file *file, struct image *image, struct err *err);
/* Whether the file moves, and only its first picture was given. Known after image_next. */
bool image_is_animated(const struct image_file *file);
