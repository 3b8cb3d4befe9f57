/*
 * redact_width: moves what is left of a line together where a text was removed from it, so that
 * the width of the hole, the spaces of the line and its end tell little of the text. Only text that
 * belongs together moves, a column does not, and never onto other text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/redact/redact_shape.h"

enum redact_width {
    REDACT_WIDTH_EXACT,   /* holes are as wide as what was removed; nothing moves */
    REDACT_WIDTH_ROUNDED, /* of a step of four ems, or of one em below it */
    REDACT_WIDTH_LINE,    /* of a width that depends only on what is left of the line */
};

#define REDACT_NO_AREA UINT32_MAX

/* A glyph of a page, in the order of the content. Places are in the space of the page. */
struct redact_placed {
    float x, y, dx, dy;  /* its origin, and the direction of its line, of length 1 */
    float length, size;  /* how far it reaches, and the size of its font; 0: nothing is shown */
    float shift;         /* found: how far it moves in the direction of its line */
    uint32_t area;       /* the index of an area for which it is removed */
    bool removed, space; /* space: it has no ink */
};

/* What is drawn in place of a removed text. */
struct redact_hole {
    struct redact_quad quad;
    size_t hit;
};

/* A straight edge of something that is drawn, such as a line of a table. */
struct redact_edge {
    float at[4]; /* its ends, each an x and a y */
};

#define REDACT_MOST_EDGES 20000

/* A piece of a line that was moved, and its words and holes: where each was, and is. */
struct redact_moved {
    double dx, dy, across, size;
    double from, to;
    size_t first, n; /* in `spans` */
};

struct redact_span {
    double from, to, at, end;
};

struct redact_line {
    enum redact_width width;
    double least; /* of a hole, in parts of the font's size, where there is room; 0: any */
    struct redact_placed *items;
    size_t n, cap;
    struct redact_area *areas; /* those that holes replace become `moved` */
    size_t n_areas;
    const double *box;         /* of the page: left, bottom, right, top */
    struct redact_edge *edges; /* at most REDACT_MOST_EDGES, which divide columns */
    size_t n_edges, cap_edges;
    struct redact_moved *moved;
    size_t n_moved, cap_moved;
    struct redact_span *spans;
    size_t n_spans, cap_spans;
    struct redact_hole *holes;
    size_t n_holes, cap_holes;
    size_t measurable; /* holes that stay as wide as what was removed */
};

/* Finds the shift of each glyph, and the holes. False when out of memory. */
bool redact_width_find(struct redact_line *line);
/* How something at `quad` follows the text that it belongs to, such as a line under words or a
 * link: the transformation of its points. False: it stays where it is. */
bool redact_width_follow(const struct redact_line *line, const struct redact_quad *quad,
                         struct redact_matrix *m);
/* The box of a quad along the direction (dx, dy), and across it. */
void redact_width_project(const struct redact_quad *quad, double dx, double dy,
                          double box[static 4]);
void redact_width_free(struct redact_line *line);
