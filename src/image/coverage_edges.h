/*
 * coverage_edges: the edges of a shape that cross the line which is looked at, by x, and where they
 * are on the lines after it. Four are followed at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "image/coverage_row.h"

/* x: steps from the left of the shape; with `error` it goes as coverage.h says. */
struct coverage_active {
    int x, error, up, down;
    int move, across, turn;
    int end; /* the line where it is no more */
};

struct coverage_edges {
    struct coverage_active *all; /* by x, if sorted */
    size_t n, cap;
    size_t n_slanted; /* how many go aside */
    bool sorted;      /* for certain */
    int end;          /* the first of their ends; INT_MAX without edges */
    int *tracks;      /* x of edge k, i lines further down: tracks[i * stride + k] */
    size_t stride;
    unsigned *order; /* room for as many numbers of edges */
};

/* None, in the memory that is there. */
void coverage_edges_clear(struct coverage_edges *edges);
void coverage_edges_free(struct coverage_edges *edges);
/* False: there is no memory. They are not sorted any more. */
bool coverage_edges_add(struct coverage_edges *edges, const struct coverage_active *edge);
/* Takes out those that end on this line. */
void coverage_edges_end(struct coverage_edges *edges, int y);
void coverage_edges_sort(struct coverage_edges *edges);
/* Notes where they are on so many lines, up to COVERAGE_DOWN, and moves them to the one after. */
void coverage_edges_follow(struct coverage_edges *edges, int lines);
/* Whether they are in the same order on each of these lines. */
bool coverage_edges_in_order(struct coverage_edges *edges, int lines);
/* Puts the numbers of the edges, all of which stand in `order`, into the order they have on `line`.
 * How many lines from there on, up to the one numbered `lines`, they keep it. */
int coverage_edges_order(struct coverage_edges *edges, int line, int lines);
