/*
 * heic: decodes HEIC and AVIF pictures (ISO/IEC 23008-12) by libheif. The library is not linked,
 * as it and its decoders take 30 ms and more to load, which other jobs would wait for: it is opened
 * when a picture needs it, and need not be installed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct heic; /* an open file */

struct heic_picture {
    uint32_t width, height;
    bool alpha, premultiplied; /* alpha: pixels have four samples, else three */
    const uint8_t *pixels;     /* rows of 8-bit samples, upright; set by heic_decode */
    size_t stride;             /* bytes from one row to the next */
    uint8_t *icc;              /* owned by the file */
    size_t icc_bytes;          /* 0: no profile */
};

/* Opens the library if one of these files is HEIC or AVIF, and returns whether it is: to be called
 * before the process of a job is confined. Only the first bytes of the files are read. */
bool heic_prepare(const int *fds, size_t n);

/* Opens a file in memory, which must outlive it. ERR_UNSUPPORTED_CONTENT if there is no library,
 * ERR_CORRUPT_FILE. */
struct heic *heic_open(const uint8_t *data, size_t n, struct err *err);
void heic_close(struct heic *file); /* may be NULL */

/* Describes the next picture of the file. 1; 0: there are no more; -1: ERR_CORRUPT_FILE. */
int heic_next(struct heic *file, struct heic_picture *picture, struct err *err);
/* Decodes the picture that heic_next described; the pixels are valid until the next call. */
int heic_decode(struct heic *file, struct heic_picture *picture, struct err *err);
