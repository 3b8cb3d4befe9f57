/* text_rows: finds letters that stand in rows in the gray picture of a page, without reading them.
 * Letters that touch count as one. Ruling lines, photographs and specks are left out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In pixels; right and bottom are the first that do not belong to it. */
struct text_rows_letter {
    int left, top, right, bottom;
};

struct text_rows {
    struct text_rows_letter *letters; /* owned */
    size_t n;
    uint8_t *ink; /* owned; of each pixel: whether it differs from the paper around it */
    int width, height;
};

#define TEXT_ROWS_DPI 100 /* the resolution of the pictures */

/* Searches a picture of width * height samples. False when out of memory. */
bool text_rows_find(const uint8_t *samples, int width, int height, struct text_rows *out);
void text_rows_free(struct text_rows *rows);
