/* exif: the fields of Exif 2.3 that say how to place a picture on a page. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct exif {
    int orientation;     /* 1 to 8; 0: not given */
    double dpi_x, dpi_y; /* 0: not given */
};

/* Reads the first directory of n bytes of TIFF structure (after "Exif\0\0"). Values that make no
 * sense are ignored. */
void exif_read(const uint8_t *data, size_t n, struct exif *exif);
