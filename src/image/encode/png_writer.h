/*
 * png_writer: writes rendered pages as PNG files (ISO/IEC 15948), small and fast. A writer owns
 * buffers and is used for one image after another, by one thread at a time; writers share nothing.
 * Its memory does not depend on the height of an image.
 *
 * Pixels are preserved exactly, in the smallest format: gray pages as gray, at most 256 colours as
 * a palette, both with as few bits as possible, and no alpha channel if all pixels are opaque.
 * Premultiplied colours are divided by their alpha, rounded to nearest. No colour space is written:
 * readers assume sRGB, as they do for the JPEG of the same page.
 *
 * Errors: ERR_LIMIT_EXCEEDED for more than PNG_MAX_SIDE pixels a side; the errors of the sink.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "image/encode/pixmap.h"
#include "image/encode/sink.h"

#define PNG_MAX_SIDE 1000000U /* limit of width and height in pixels */

struct png_writer;

struct png_writer *png_writer_new(struct err *err);
void png_writer_free(struct png_writer *writer);

static inline void png_writer_scope(struct png_writer **writer)
{
    png_writer_free(*writer);
}
#define AUTO_PNG_WRITER __attribute__((cleanup(png_writer_scope)))

/* Writes a whole image, width and height at least 1. dpi: pixels per inch, rounded to a pixel
 * per metre; 0: unknown. mono: black and white, 1 bit, as in mono.h; alpha is then dropped. */
int png_writer_write(struct png_writer *writer, const struct pixmap *pixmap, double dpi, bool mono,
                     struct sink sink, struct err *err);

/*
 * Writes a part of an image: `rows` rows from `from` on, which is a multiple of PNG_PART_ROWS.
 * Writers in several threads make the parts at the same time, and the parts are concatenated.
 * png_writer_join then makes what follows the last part.
 */
#define PNG_PART_ROWS 64U

struct png_part {
    uint32_t sum;   /* Adler-32 of the filtered rows */
    uint64_t bytes; /* number of bytes of the filtered rows */
};

int png_writer_part(struct png_writer *writer, const struct pixmap *pixmap, double dpi,
                    uint32_t from, uint32_t rows, struct sink sink, struct png_part *part,
                    struct err *err);
int png_writer_join(struct png_writer *writer, const struct png_part *parts, size_t n,
                    struct sink sink, struct err *err);

/*
 * Write an image that is too large to be in memory at once in bands: begin, then rows from top to
 * bottom until there were `height` of them, then end. Each band has the width and kind of the
 * first. The file has the format that fits any image of that kind, as later rows are not known.
 * After an error only begin may be called.
 */
int png_writer_begin(struct png_writer *writer, uint32_t width, uint32_t height,
                     enum pixmap_kind kind, double dpi, bool mono, struct sink sink,
                     struct err *err);
int png_writer_rows(struct png_writer *writer, const struct pixmap *band, struct err *err);
int png_writer_end(struct png_writer *writer, struct err *err);
