/* flate: zlib streams (RFC 1950) of PDF objects and of PNG files. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/err.h"

/* Appends the bytes as a zlib stream. */
int flate_pack(const void *data, size_t n, struct buf *out, struct err *err);
/* Appends what a zlib stream holds, at most `max` bytes. ERR_CORRUPT_FILE, ERR_LIMIT_EXCEEDED. */
int flate_unpack(const void *data, size_t n, size_t max, struct buf *out, struct err *err);

/* The rows of a PNG picture: in each pass (one, or seven if it is interlaced) `rows` of 1 + `bytes`
 * bytes, the first of which is the number of a filter. */
struct flate_pass {
    size_t rows, bytes;
};

/*
 * Whether the zlib stream in these pieces holds exactly those passes. It is inflated to see it, but
 * never more than was said, and never all in memory if it is large. ERR_CORRUPT_FILE (without
 * naming the file's kind) or ERR_LIMIT_EXCEEDED.
 */
int flate_check_rows(const struct iovec *pieces, size_t n_pieces, const struct flate_pass *passes,
                     size_t n_passes, struct err *err);
