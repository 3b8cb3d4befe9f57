/*
 * flow: makes paragraphs of the lines of one column: which lines belong together, their alignment
 * and indents, and their text without line ends.
 */
#pragma once

#include "layout/page/numbering.h"
#include "layout/paragraph/survey.h"

struct flow {
    struct arena *arena;
    const struct page_content *content;
    const struct survey *survey;
    struct numbering *numbering;
    struct column column; /* its edges on the page */
    bool in_cell;         /* the column is a cell of a table */
    bool is_block;        /* the column is a block of a letter: its lines end where they end */
    /* in a cell without a ruled line at its right: x where the lines of that column of the table
     * end; 0: not known */
    float reach;
    bool plain; /* the positions of words are meaningless */
};

/* A paragraph and its place on the page. */
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

/* Makes the paragraphs. `stops`: n_stops values of y that no paragraph crosses (tables,
 * pictures). */
struct flowed_list flow_paragraphs(const struct flow *flow, struct word **words, size_t n,
                                   const float *stops, size_t n_stops);
/* Makes blocks from top to bottom with the space before each, the first one from `*y` on, where
 * the column's contents begin; *y is set to where they end. */
void flow_place(const struct flow *flow, struct flowed_list *items, float *y,
                struct block_list *blocks);
