/*
 * zones: where the columns of a page are. A page is bands from top to bottom, each of one or
 * several columns; a band of several is one that a strip of white goes through from top to bottom,
 * with running text on both sides (after the XY-cut of Nagy and Seth).
 */
#pragma once

#include "page/words.h"

/* What stands somewhere: a piece of a line, a table, a picture. */
struct item {
    struct area area;
    const struct line *line; /* or NULL */
    const struct block *block;
    unsigned char side; /* the k-th pair of columns has 2k + 1 and 2k + 2 (reflow/sides.h); or 0 */
};

struct item_list {
    struct item *items;
    size_t n, cap;
};

struct band {
    size_t n_columns;
    struct column columns[MODEL_COLUMNS];
    struct item_list contents[MODEL_COLUMNS];
};

struct band_list {
    struct band *items;
    size_t n, cap;
};

/* Sorts the items. Bands of one column that follow each other are one. */
struct band_list zones_find(struct arena *arena, struct item_list *items);
