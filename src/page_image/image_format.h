/* format: how a picture becomes a file. A table of functions for each kind of file; an encoder is
 * one thread's, and used for picture after picture. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "image_encode/pixmap.h"
#include "image_encode/png_writer.h"
#include "image_encode/sink.h"

struct image_format {
    const void *options;   /* for open */
    const char *extension; /* without the dot */
    bool lossy;            /* pixels need not be exact */
    int64_t max_side;      /* pixels, of width and height */

    void *(*open)(const void *options, struct err *err);
    void (*close)(void *encoder);
    /* A whole picture. */
    int (*write)(void *encoder, const struct pixmap *pixmap, struct sink sink, struct err *err);
    /* A whole picture in parts, by several encoders at the same time (png_writer_part), and what
     * comes behind them; or NULL. */
    int (*part)(void *encoder, const struct pixmap *pixmap, uint32_t from, uint32_t rows,
                struct sink sink, struct png_part *part, struct err *err);
    int (*join)(void *encoder, const struct png_part *parts, size_t n, struct sink sink,
                struct err *err);
    /* A picture in bands: its shape (no samples), then bands from top to bottom, then the end. */
    int (*begin)(void *encoder, const struct pixmap *shape, struct sink sink, struct err *err);
    int (*rows)(void *encoder, const struct pixmap *band, struct err *err);
    int (*end)(void *encoder, struct err *err);
};
