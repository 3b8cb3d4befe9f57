/*
 * jpeg_writer: writes rendered pages as baseline JPEG files (JFIF 1.01) with libjpeg-turbo. A
 * writer is used for one image after another, by one thread at a time; writers share nothing.
 *
 * A page whose pixels are all gray becomes a JPEG of one component. Chroma is subsampled 4:2:0
 * below quality JPEG_FULL_COLOR and not at all from there on. The alpha channel is ignored: pages
 * must be on an opaque background.
 *
 * Errors: ERR_LIMIT_EXCEEDED for a side of 0 or more than JPEG_MAX_SIDE pixels; ERR_INTERNAL for
 * calls in the wrong order; the error of the sink.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "image/encode/pixmap.h"
#include "image/encode/sink.h"

#define JPEG_MAX_SIDE   65500U /* libjpeg's JPEG_MAX_DIMENSION */
#define JPEG_FULL_COLOR 90

struct jpeg_writer;

/* Makes a writer. Returns NULL with ERR_INTERNAL without memory. */
struct jpeg_writer *jpeg_writer_new(struct err *err);
void jpeg_writer_free(struct jpeg_writer *writer);

static inline void jpeg_writer_scope(struct jpeg_writer **writer)
{
    jpeg_writer_free(*writer);
}
#define AUTO_JPEG_WRITER __attribute__((cleanup(jpeg_writer_scope)))

/* Writes a whole image. quality: 1 to 100 on libjpeg's scale; dpi: pixels per inch, rounded to a
 * whole number, 0 if unknown. */
int jpeg_writer_write(struct jpeg_writer *writer, const struct pixmap *pixmap, double dpi,
                      int quality, struct sink sink, struct err *err);

/*
 * Writes an image in bands, if it is too large to be in memory at once: begin, then rows from top
 * to bottom until there were `height` of them, then end. Each band has the width and kind that
 * begin was given; RGB is not examined for being gray. After an error only begin may be called.
 */
int jpeg_writer_begin(struct jpeg_writer *writer, uint32_t width, uint32_t height,
                      enum pixmap_kind kind, double dpi, int quality, struct sink sink,
                      struct err *err);
int jpeg_writer_rows(struct jpeg_writer *writer, const struct pixmap *band, struct err *err);
int jpeg_writer_end(struct jpeg_writer *writer, struct err *err);
