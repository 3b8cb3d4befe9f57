/*
 * tiff_memory: a TIFF file that libtiff writes into memory (TIFF 6.0). libtiff reports its failures
 * by what its functions return; it prints nothing.
 */
#pragma once

#include <stdint.h>
#include <tiffio.h>

#include "base/buf.h"

struct tiff_memory {
    struct buf file; /* what libtiff has written so far; its owner frees it with buf_free */
    uint64_t at;     /* the offset at which libtiff reads or writes next */
};

/* Opens an empty little-endian file, which memory must outlive. Returns NULL when out of memory.
 * The caller closes it with TIFFClose, or with TIFFCleanup, which writes nothing. */
TIFF *tiff_memory_open(struct tiff_memory *memory);
