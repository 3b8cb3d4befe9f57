/*
 * column_layout: finds the column layout of a page. A page consists of bands from top to bottom,
 * each with one or more columns; a band with several has a vertical white gap through it, with
 * running text on both sides (a variant of the XY-cut of Nagy and Seth).
 */
#pragma once

#include "layout/page/words.h"

/* An object with a place on the page: a piece of a line, a table, a picture. */
struct item {
    struct area area;
    const struct line *line;   /* the piece of a line; NULL: the object is a block */
    const struct block *block; /* the table or picture; NULL: the object is a line */
    /* in a pair of independent columns (layout/columns/sidebars.h): 2k + 1 in the left column of
     * the k-th pair, 2k + 2 in the right one; 0: in none */
    unsigned char side;
};

struct item_list {
    struct item *items;
    size_t n, cap;
};

struct band {
    size_t n_columns;
    unsigned pair; /* of independent columns, from 1 on; 0: the band is not a pair */
    bool brief;    /* its columns have a few lines, which do not show how wide the columns are */
    struct column columns[MODEL_COLUMNS];
    struct item_list contents[MODEL_COLUMNS];
};

struct band_list {
    struct band *items;
    size_t n, cap;
};

/* Sorts the items into bands. Consecutive bands of one column are merged. */
struct band_list column_layout_find(struct arena *arena, struct item_list *items);
