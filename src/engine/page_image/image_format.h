/* image_format: the table of functions that encode one file format. An encoder belongs to one
 * thread, and is used for one picture after the other. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "image/encode/pixmap.h"
#include "image/encode/png_writer.h"
#include "image/encode/sink.h"

struct image_format {
    const void *options;   /* passed to the functions that begin a picture */
    const char *extension; /* without the dot */
    bool lossy;            /* pixels need not be exact */
    int64_t max_side;      /* limit of width and height in pixels */

    void *(*open)(struct err *err);
    void (*close)(void *encoder);
    /* Writes a whole picture. */
    int (*write)(void *encoder, const void *options, const struct pixmap *pixmap, struct sink sink,
                 struct err *err);
    /* Optional: encodes horizontal slices of a picture concurrently (png_writer_part); join
     * writes what follows the slices. NULL: not supported. */
    int (*part)(void *encoder, const void *options, const struct pixmap *pixmap, uint32_t from,
                uint32_t rows, struct sink sink, struct png_part *part, struct err *err);
    int (*join)(void *encoder, const struct png_part *parts, size_t n, struct sink sink,
                struct err *err);
    /* Write a picture in bands: its shape without samples, then the bands from top to bottom,
     * then the end. */
    int (*begin)(void *encoder, const void *options, const struct pixmap *shape, struct sink sink,
                 struct err *err);
    int (*rows)(void *encoder, const struct pixmap *band, struct err *err);
    int (*end)(void *encoder, struct err *err);
};

/* Defines the functions of a table that only pass on to those of a writer: open_writer,
 * close_writer, rows and end, of WRITER_new, WRITER_free, WRITER_rows and WRITER_end. */
#define IMAGE_FORMAT_WRITER(WRITER)                                                                \
    static void *open_writer(struct err *err)                                                      \
    {                                                                                              \
        return WRITER##_new(err);                                                                  \
    }                                                                                              \
    static void close_writer(void *writer)                                                         \
    {                                                                                              \
        WRITER##_free(writer);                                                                     \
    }                                                                                              \
    static int rows(void *writer, const struct pixmap *band, struct err *err)                      \
    {                                                                                              \
        return WRITER##_rows(writer, band, err);                                                   \
    }                                                                                              \
    static int end(void *writer, struct err *err)                                                  \
    {                                                                                              \
        return WRITER##_end(writer, err);                                                          \
    }
