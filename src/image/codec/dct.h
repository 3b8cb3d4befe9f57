/*
 * dct: reads and writes JPEG images (ITU-T T.81) as PDF contains them (ISO 32000-2, 7.4.8), with
 * libjpeg-turbo. Samples are those stored in the file; CMYK is never inverted.
 */
#pragma once

#include "base/buf.h"
#include "image/codec/raster.h"

struct dct_info {
    size_t width, height;
    int channels;
    bool adobe;  /* it has Adobe's marker */
    bool turned; /* the samples are luminance and colour differences */
    bool plain;  /* 8 bits for each sample, and of a kind that is supported here */
    /* 1 to 100: the quality it was probably written with, by its coarsest quantisation table */
    int quality;
};

/* Reads only the header. `transform`: PDF's ColorTransform, 0, 1, or -1 if absent; Adobe's
 * marker takes precedence. False if it is not a JPEG image. */
bool dct_look(const void *data, size_t n, int transform, struct dct_info *info);
/* Decodes a JPEG image at eighths/8 of its size, 1 <= eighths <= 8. False if it is damaged or
 * memory ran out. */
bool dct_read(const void *data, size_t n, int transform, unsigned eighths, struct raster *out);
/* Decodes a JPEG image at full size: only the luminance if it is a separate component, else all
 * components. False as above. */
bool dct_read_brightness(const void *data, size_t n, struct raster *out);
/* Appends the same image, with identical coefficients, in fewer bytes: progressive, with optimal
 * Huffman codes, without comments and thumbnails. False if it is damaged or memory ran out. */
bool dct_repack(const void *data, size_t n, struct buf *out);
/* The same with the luminance only. False also if it is not a separate component. */
bool dct_repack_gray(const void *data, size_t n, struct buf *out);

/* Appends the same image with other pixels in some places, as a file of the same kind: the blocks
 * of 8 by 8 samples that no pixel in `covered` (a byte for each pixel) belongs to keep their
 * coefficients, and the others are those of `pixels`, which is what dct_read gives at full size,
 * changed. Comments and thumbnails are left out, Adobe's marker stays. False if the image is
 * damaged, has another size, or memory ran out. */
bool dct_patch(const void *data, size_t n, int transform, const struct raster *pixels,
               const uint8_t *covered, struct buf *out);

struct dct_write {
    int quality;
    int colours;      /* the quality of colour differences, if that is better */
    bool full_colour; /* do not subsample the colour differences */
    /* For a try: the same samples in more bytes, of a baseline file, which is written and read in a
     * fraction of the time. */
    bool quick;
    bool adobe;  /* for CMYK: write Adobe's marker */
    bool turned; /* for CMYK: convert to YCCK */
};

/* Appends an image of 1, 3 (RGB) or 4 (CMYK) components. False when out of memory. */
bool dct_write(const struct raster *raster, const struct dct_write *how, struct buf *out);
