/*
 * pack: compresses rows of samples to the data of a PDF image: each row is filtered as in PNG
 * (ISO/IEC 15948, clause 9), and all rows form one zlib stream.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"

struct pack {
    struct buf *out;
    size_t row_bytes, pixel_bytes; /* pixel_bytes: distance to the sample on the left */
    /* only filter 0 is used: for palette indexes, and samples of less than a byte */
    bool plain;
    uint8_t *rows;     /* filtered rows: all of them, or one if `piecewise` */
    uint8_t *previous; /* the row above */
    uint8_t *trial[2]; /* the row as two filters make it, of which the better one is kept */
    size_t at;         /* number of bytes in `rows` */
    bool piecewise;    /* the rows are too many to be kept: each is compressed at once, by `z` */
    z_stream z;
};

/* Begins a stream, which is written to `out`. `bits`: bits of a pixel with all its components.
 * ERR_LIMIT_EXCEEDED when out of memory. */
int pack_start(struct pack *pack, struct buf *out, uint32_t width, uint32_t height, unsigned bits,
               bool indexed, struct err *err);
/* Adds the next row, from top to bottom: width * bits / 8 bytes, rounded up. */
int pack_row(struct pack *pack, const uint8_t *row, struct err *err);
int pack_finish(struct pack *pack, struct err *err);
/* Frees the buffers. May be called after pack_finish, and for a zeroed struct. */
void pack_free(struct pack *pack);
