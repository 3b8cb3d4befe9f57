/*
 * jpeg_writer: JPEG files (JFIF) of rendered pages, baseline, in codes of our own making: much of a
 * page is of one colour, which is seen before anything is computed. As near to the pixels as what
 * libjpeg-turbo writes, and as short. A writer holds what is worth keeping and is used for one
 * image after another; it is for one thread at a time, and writers share nothing.
 *
 * A page whose pixels are all gray becomes a JPEG of one component. Colour is sampled at half the
 * resolution both ways (4:2:0) below quality JPEG_FULL_COLOR, and fully from there on. The alpha
 * channel is not looked at: give pages on an opaque background.
 *
 * Errors: limit_exceeded for more than JPEG_MAX_SIDE pixels a side; what the sink says.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "image/pixmap.h"
#include "image/sink.h"

#define JPEG_MAX_SIDE   65500U /* more libjpeg does not read */
#define JPEG_FULL_COLOR 90

struct jpeg_writer;

struct jpeg_writer *jpeg_writer_new(struct err *err);
void jpeg_writer_free(struct jpeg_writer *writer);

static inline void jpeg_writer_scope(struct jpeg_writer **writer)
{
    jpeg_writer_free(*writer);
}
#define AUTO_JPEG_WRITER __attribute__((cleanup(jpeg_writer_scope)))

/* A whole image, gray, RGB or RGBA. quality: 1 to 100, as libjpeg counts; dpi: pixels an inch,
 * written to the nearest; 0 for not known. */
int jpeg_writer_write(struct jpeg_writer *writer, const struct pixmap *pixmap, double dpi,
                      int quality, struct sink sink, struct err *err);

/*
 * The same in bands, for images too large to be in memory at once: begin, rows from top to bottom
 * until there were `height` of them, end. Each band has the width and kind of the first; RGB stays
 * RGB. After an error nothing but a new begin is right.
 */
int jpeg_writer_begin(struct jpeg_writer *writer, uint32_t width, uint32_t height,
                      enum pixmap_kind kind, double dpi, int quality, struct sink sink,
                      struct err *err);
int jpeg_writer_rows(struct jpeg_writer *writer, const struct pixmap *band, struct err *err);
int jpeg_writer_end(struct jpeg_writer *writer, struct err *err);
