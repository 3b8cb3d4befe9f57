/*
 * strips: the columns of a possible table: ranges of x that its cells occupy, with
 * white space between them in all rows except for cells that span (the white space between columns
 * as in T-Recs, Kieninger 1998, and in Tabula's "stream" mode).
 */
#pragma once

#include "layout/regions/rows.h"

#define STRIPS_MOST ((size_t) 40) /* limit of the columns of a table */

struct strip {
    float x0, x1;
    size_t cells; /* number of cells that are in this strip alone */
};

struct strips {
    struct strip items[STRIPS_MOST];
    size_t n;
};

/* How a row fits the strips. */
struct fitting {
    size_t cells;  /* segments that are in one strip each, or in a new one */
    size_t added;  /* new strips */
    size_t spans;  /* segments that cover several strips */
    size_t shared; /* segments that share a strip with the previous one */
};

/* Finds the strips of each segment of the row (segment.first, .last). `grow`: segments outside
 * of all strips make new ones, and strips widen to their cells. False: there would be too many. */
bool strips_fit(struct strips *strips, struct row *row, bool grow, struct fitting *fitting);
