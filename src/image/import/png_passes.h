/* png_passes: checks that the data of a PNG file (ISO/IEC 15948) can become those of a PDF image.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/err.h"

/* The rows of one pass of a PNG picture (one pass, or seven if it is interlaced): `rows` rows of
 * 1 + `bytes` bytes, of which the first is the number of a filter. */
struct png_pass {
    size_t rows, bytes;
};

/*
 * Checks that the zlib stream in these pieces contains exactly these passes. It is inflated for
 * that, but never beyond their size, and a large one never wholly into memory. ERR_CORRUPT_FILE
 * (without naming the file's kind) or ERR_LIMIT_EXCEEDED.
 */
int png_passes_check(const struct iovec *pieces, size_t n_pieces, const struct png_pass *passes,
                     size_t n_passes, struct err *err);
