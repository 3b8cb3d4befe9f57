/*
 * beside: lines on both sides of a place where a column could begin: whether they are two texts, or
 * rows of a table.
 */
#pragma once

#include "reflow/zones.h"

#define BESIDE_GUTTER 4    /* points of white, at least */
#define BESIDE_SAME   1.5F /* points: edges that are one below the other */
#define BESIDE_LINES  8    /* of a column, at least */
#define BESIDE_PROSE  36   /* characters of a line of running text, on average */

/* What stands at one height: left and right of where the right column begins. */
struct beside_row {
    float base, size, y0, y1;
    struct line left, right; /* words.n: 0 for none */
    bool across, cut;        /* words go across; the rows before it are others' */
};

/* Where a right column can begin. */
struct beside_strip {
    const struct area *panel; /* what colours one of the columns; or NULL */
    float x;
    bool right; /* it is that one */
};

/* The rows of all lines; how many. There is room for as many as there are lines. Items that are no
 * lines, and words and items that are in columns already, are in the way. */
size_t beside_rows(const struct line_list *lines, const struct item_list *items,
                   const struct beside_strip *strip, struct beside_row *rows);
/* How many characters a line has, but for dots that lead somewhere. */
size_t beside_chars(const struct line *line);
/* Whether they are two columns. `panel`: one of them has a colour behind it. */
bool beside_is(const struct beside_row *rows, size_t n, bool panel);
