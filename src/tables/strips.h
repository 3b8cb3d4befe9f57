/*
 * strips: the columns of a table while it is looked for: the parts of the width that its cells
 * take, with white between them in all rows but for cells that span (the white space between
 * columns as in T-Recs, Kieninger 1998, and in Tabula's "stream" mode).
 */
#pragma once

#include "tables/rows.h"

#define STRIPS_MOST ((size_t) 40)

struct strip {
    float x0, x1;
    size_t cells; /* that are in this strip alone */
};

struct strips {
    struct strip items[STRIPS_MOST];
    size_t n;
};

/* How a row goes into the strips. */
struct fitting {
    size_t cells;  /* segments that are in one strip each, or in a new one */
    size_t added;  /* new strips */
    size_t spans;  /* segments that cover several strips */
    size_t shared; /* segments that share a strip with the one before */
};

/* Finds the strips of each segment of the row (segment.first, .last). Segments that are in none
 * make new ones if `grow`; then the strips also become as wide as their cells. False: there would
 * be too many. */
bool strips_fit(struct strips *strips, struct row *row, bool grow, struct fitting *fitting);
