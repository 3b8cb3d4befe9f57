/*
 * icc_convert: colours of an ICC profile as sRGB, by Little CMS. Rendering intents are those of
 * PDF (ISO 32000-2, 8.6.5.8). Black points are compensated but for the absolute intent: the
 * specification leaves that to readers, and the ones in use do it (Acrobat, Ghostscript, MuPDF and
 * poppler), so that colours stay what people see.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ICC_CONVERT_CHANNELS 4 /* limit of the channels of a profile */

enum icc_intent {
    ICC_PERCEPTUAL,
    ICC_RELATIVE, /* colorimetric: PDF's default */
    ICC_SATURATION,
    ICC_ABSOLUTE, /* colorimetric */
    ICC_INTENTS
};

struct icc_convert;

/*
 * Opens a profile of n bytes for 1, 3 or 4 channels: gray, RGB or CMYK. The bytes are copied. NULL
 * if it is larger than 4 MB, damaged, of another space or class, or has tables of floating-point
 * elements, and when out of memory. The caller closes it.
 */
struct icc_convert *icc_convert_open(const void *profile, size_t n, unsigned channels);
void icc_convert_close(struct icc_convert **convert);

/* Converts one colour, with components from 0 to 1. False if the profile cannot be used in this
 * way. */
bool icc_convert_colour(struct icc_convert *convert, enum icc_intent intent, const double *colour,
                        double rgb[static 3]);
/* Converts n pixels, whose samples are a byte each; `rgb` gets three bytes for each. False as
 * above. */
bool icc_convert_pixels(struct icc_convert *convert, enum icc_intent intent, const uint8_t *pixels,
                        size_t n, uint8_t *rgb);
