/*
 * pack: rows of samples become the data of a PDF image: each row filtered as in PNG (ISO/IEC 15948,
 * clause 9), so that it compresses well, then all of them one zlib stream.
 */
#pragma once

#include <libdeflate.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"

struct pack {
    struct buf *out;
    size_t row_bytes, pixel_bytes; /* pixel_bytes: the distance to the sample on the left */
    bool plain;        /* no filter but none: indexes, and samples of less than a byte */
    uint8_t *rows;     /* filtered: all of them, or one if they are too many */
    uint8_t *previous; /* the row above */
    uint8_t *trial[2];
    size_t at;
    bool piecewise;
    z_stream z;
};

/* `bits`: of a pixel, all its components. `out` gets the stream. ERR_LIMIT_EXCEEDED. */
int pack_start(struct pack *pack, struct buf *out, uint32_t width, uint32_t height, unsigned bits,
               bool indexed, struct err *err);
/* The next row, top to bottom: width * bits / 8 bytes, rounded up. */
int pack_row(struct pack *pack, const uint8_t *row, struct err *err);
int pack_finish(struct pack *pack, struct err *err);
/* Also after pack_finish, and of a zeroed struct. */
void pack_free(struct pack *pack);
#define AUTO_PACK __attribute__((cleanup(pack_free)))
