/* png_read: what libpng makes of a file in memory; the judge of what we write. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct png_read {
    uint32_t width, height, x_per_metre;
    int bits, color_type;
    uint8_t *rgba; /* the caller frees it */
};

/* False if libpng refuses it or warns. */
bool png_read(const struct buf *file, struct png_read *out);
