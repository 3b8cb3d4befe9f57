/*
 * png_writer: PNG files (ISO/IEC 15948) of rendered pages, small and quick. A writer holds buffers
 * and is used for one image after another; it is for one thread at a time, and writers share
 * nothing. The memory it takes does not depend on the height of an image.
 *
 * Every pixel comes out as it went in. What is less than it looks is written as less: gray pages as
 * gray, at most 256 colours as a palette, both with as few bits as tell them apart, and no alpha
 * where all is opaque. Premultiplied colours are divided by their alpha, to the nearest. No colour
 * space is written: readers take it for sRGB, as they do the JPEG of the same page.
 *
 * Errors: limit_exceeded for more than PNG_MAX_SIDE pixels a side; what the sink says.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "image_encode/pixmap.h"
#include "image_encode/sink.h"

#define PNG_MAX_SIDE 1000000U

struct png_writer;

struct png_writer *png_writer_new(struct err *err);
void png_writer_free(struct png_writer *writer);

static inline void png_writer_scope(struct png_writer **writer)
{
    png_writer_free(*writer);
}
#define AUTO_PNG_WRITER __attribute__((cleanup(png_writer_scope)))

/* A whole image, width and height at least 1; dpi: pixels an inch, written rounded to a pixel per
 * metre, 0 for not known. mono: black and white, 1 bit, as mono.h says; alpha is then left out. */
int png_writer_write(struct png_writer *writer, const struct pixmap *pixmap, double dpi, bool mono,
                     struct sink sink, struct err *err);

/*
 * A whole image in parts, which writers in other threads make at the same time and which are put
 * one after the other: so many rows from `from` on, which is a multiple of PNG_PART_ROWS.
 * png_writer_join gives what comes behind the last, of all parts in order.
 */
#define PNG_PART_ROWS 64U

struct png_part {
    uint32_t sum;
    uint64_t bytes;
};

int png_writer_part(struct png_writer *writer, const struct pixmap *pixmap, double dpi,
                    uint32_t from, uint32_t rows, struct sink sink, struct png_part *part,
                    struct err *err);
int png_writer_join(struct png_writer *writer, const struct png_part *parts, size_t n,
                    struct sink sink, struct err *err);

/*
 * The same in bands, for images too large to be in memory at once: begin, rows from top to bottom
 * until there were `height` of them, end. Each band has the width and kind of the first, and as
 * later rows cannot be known, the image is written as what that kind can hold. After an error
 * nothing but a new begin is right.
 */
int png_writer_begin(struct png_writer *writer, uint32_t width, uint32_t height,
                     enum pixmap_kind kind, double dpi, bool mono, struct sink sink,
                     struct err *err);
int png_writer_rows(struct png_writer *writer, const struct pixmap *band, struct err *err);
int png_writer_end(struct png_writer *writer, struct err *err);
