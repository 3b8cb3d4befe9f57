/*
 * dct: JPEG images (ITU-T T.81) as PDF holds them (ISO 32000-2, 7.4.8): samples come as they are
 * stored, CMYK is never inverted. libjpeg-turbo does the work.
 */
#pragma once

#include "base/buf.h"
#include "image_codec/raster.h"

struct dct_info {
    size_t width, height;
    int channels;
    bool adobe;        /* it has Adobe's marker... */
    int adobe_colours; /* ...that says how its channels were turned: 0, 1 or 2 */
    bool turned;       /* to luminance and colour differences */
    bool plain;        /* 8 bits a sample, of a kind that is read here */
    int quality;       /* 1 to 100, by its coarsest table: about what it was written with */
};

/* Looks at the header only. `transform`: PDF's ColorTransform, 0, 1, or -1 for not said; Adobe's
 * marker counts for more. False if it is no JPEG image. */
bool dct_look(const void *data, size_t n, int transform, struct dct_info *info);
/* Reads it at eighths/8 of its size, 1 <= eighths <= 8. False if it is damaged or memory ran out.
 */
bool dct_read(const void *data, size_t n, int transform, unsigned eighths, struct raster *out);
/* The same of its whole size, as one channel of brightness where it keeps that apart from its
 * colours; else all its channels. */
bool dct_read_brightness(const void *data, size_t n, struct raster *out);
/* The same image, to the last coefficient, in less: progressive, with codes that fit, without
 * comments and thumbnails. Appends it. */
bool dct_repack(const void *data, size_t n, struct buf *out);
/* The same of its brightness alone. False if that is not apart from its colours. */
bool dct_repack_gray(const void *data, size_t n, struct buf *out);

struct dct_write {
    int quality;
    bool full_colour; /* no halving of the colour differences */
    bool adobe;       /* of CMYK: mark it, */
    bool turned;      /* and turn it to YCCK */
};

/* Appends an image of 1, 3 (RGB) or 4 (CMYK) channels. */
bool dct_write(const struct raster *raster, const struct dct_write *how, struct buf *out);
