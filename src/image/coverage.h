/*
 * coverage: how much of each pixel lies within a shape of straight edges. A pixel is looked at in
 * COVERAGE_DOWN lines of COVERAGE_ACROSS steps, so that what it is covered by is 0 to 255. Edges go
 * by Bresenham's steps, as MuPDF's do, and come out the same.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/coverage_row.h"

/* From line y on, height lines down, at x on the first. On each next line x goes on by `move`, and,
 * when `error` plus `up` is above 0, by one more `across`, and then `error` is less by `down`. */
struct coverage_edge {
    int x, error, height, y;
    int up, down;
    int move;
    int across, turn; /* -1 or 1; turn: which way the outline goes */
};

struct coverage_area {
    int x0, y0, x1, y1; /* pixels; not empty */
};

struct coverage_shape {
    const struct coverage_edge *edges;
    size_t n_edges;
    struct coverage_area bounds; /* of all edges */
    bool even_odd;               /* else what the outline goes round at all is within */
};

/* Pixels of a row from x on; those beside are not covered. */
typedef void coverage_put(void *cls, int x, int y, const uint8_t *covered, int n);

/* Memory for one shape after the other. */
struct coverage;
struct coverage *coverage_new(void);
void coverage_free(struct coverage *coverage);

/* Calls `put` from top to bottom for rows of `clip`, which lies within the bounds. False: there
 * was no memory for the rest. */
bool coverage_find(struct coverage *coverage, const struct coverage_shape *shape,
                   const struct coverage_area *clip, coverage_put *put, void *cls);
