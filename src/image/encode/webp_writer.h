/*
 * webp_writer: writes pictures as WebP files (RFC 9649), with libwebp. The format has no place for
 * a resolution. An encoder of WebP needs the whole picture: bands are collected until the last one.
 *
 * Errors: ERR_LIMIT_EXCEEDED when out of memory; the errors of the sink.
 */
#pragma once

#include <stdbool.h>

#include "image/encode/pixmap.h"
#include "image/encode/sink.h"

#define WEBP_WRITER_SIDE 16383 /* limit of a side in pixels */

struct webp_options {
    float quality; /* 0 to 100 on libwebp's scale; lossless: how much effort is spent */
    bool lossless; /* every pixel is preserved */
    int method;    /* 0: fast, to 6: small */
};

/* Writes a whole picture. */
int webp_writer_write(const struct pixmap *pixmap, const struct webp_options *options,
                      struct sink sink, struct err *err);

/* A writer of bands, for one picture after the other. */
struct webp_writer;

struct webp_writer *webp_writer_new(struct err *err);
void webp_writer_free(struct webp_writer *writer);
/* Begins a picture of this shape, whose samples are not looked at. `options` is copied. */
int webp_writer_begin(struct webp_writer *writer, const struct pixmap *shape,
                      const struct webp_options *options, struct sink sink, struct err *err);
/* Adds the next rows, of the width and kind of the shape. */
int webp_writer_rows(struct webp_writer *writer, const struct pixmap *band, struct err *err);
/* Encodes the picture, of which all rows were added. */
int webp_writer_end(struct webp_writer *writer, struct err *err);
