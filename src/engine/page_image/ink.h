/* ink: finds marks in a gray picture of paper, without what scanners add to it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define INK_CONTRAST 40 /* levels by which ink differs from the paper around it */

struct ink {
    uint8_t paper; /* the level of the paper: the median of the medians of all blocks */
    bool any;      /* a pixel differs from the paper by half of INK_CONTRAST */
    bool marks;    /* there is more than what a scanner adds (blank_page.h) */
};

/* Examines a picture of width * height samples. ERR_LIMIT_EXCEEDED when out of memory. */
int ink_find(const uint8_t *samples, int width, int height, struct ink *ink, struct err *err);
