/* png_filter: the five filters of PNG (ISO/IEC 15948, 9). */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum png_filter {
    PNG_NONE,
    PNG_SUB,
    PNG_UP,
    PNG_AVERAGE,
    PNG_PAETH,
};

/* Writes the filter byte and n filtered bytes to out. row and up have n bytes, n > 0 and a
 * multiple of pixel, the bytes of a pixel (1 to 4); up is the row above, or zeros. */
void png_filter_apply(enum png_filter filter, const uint8_t *row, const uint8_t *up, size_t n,
                      size_t pixel, uint8_t *restrict out);
