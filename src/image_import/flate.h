/* flate: zlib streams (RFC 1950) of PDF objects and of PNG files. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/err.h"

/* Appends the bytes as a zlib stream. */
int flate_pack(const void *data, size_t n, struct buf *out, struct err *err);
/* The rows of one pass of a PNG picture (one pass, or seven if it is interlaced): `rows` rows of
 * 1 + `bytes` bytes, of which the first is the number of a filter. */
struct flate_pass {
    size_t rows, bytes;
};

/*
 * Checks that the zlib stream in these pieces contains exactly these passes. It is inflated for
 * that, but never beyond their size, and a large one never wholly into memory. ERR_CORRUPT_FILE
 * (without naming the file's kind) or ERR_LIMIT_EXCEEDED.
 */
int flate_check_rows(const struct iovec *pieces, size_t n_pieces, const struct flate_pass *passes,
                     size_t n_passes, struct err *err);
