/*
 * flow: lines of one column as paragraphs: which lines belong together, how they are aligned and
 * indented, what their text is without the line ends.
 */
#pragma once

#include "page/numbering.h"
#include "paragraph/survey.h"

struct flow {
    struct arena *arena;
    const struct sheet *sheet;
    const struct survey *survey;
    struct numbering *numbering;
    struct column column; /* its edges on the page */
    bool in_cell;
    bool plain; /* where words stand means nothing */
};

/* A paragraph and where it was. */
struct flowed {
    struct area area;
    float base, last; /* baselines of the first and last line */
    size_t n_lines;
    struct block block;
};

struct flowed_list {
    struct flowed *items;
    size_t n, cap;
};

/* Stops: y of what paragraphs do not go across (tables, pictures); n_stops of them. */
struct flowed_list flow_paragraphs(const struct flow *flow, struct word **words, size_t n,
                                   const float *stops, size_t n_stops);
/* Blocks from top to bottom with the space before each, the first one from `*y` on, where the
 * column's contents begin; *y is set to where they end. */
void flow_place(const struct flow *flow, struct flowed_list *items, float *y,
                struct block_list *blocks);
