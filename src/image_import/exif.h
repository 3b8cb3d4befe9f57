/* exif: the little of Exif 2.3 that says how a picture is meant to lie on a page. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct exif {
    int orientation;     /* 1 to 8; 0: it does not say */
    double dpi_x, dpi_y; /* 0: it does not say */
};

/* Reads the first directory of n bytes of TIFF structure (behind "Exif\0\0"). What makes no sense
 * is left out. */
void exif_read(const uint8_t *data, size_t n, struct exif *exif);
