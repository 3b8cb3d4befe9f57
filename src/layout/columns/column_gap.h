/*
 * column_gap: decides whether the lines on both sides of a possible column gap are two columns of
 * text, or rows of a table.
 */
#pragma once

#include "layout/columns/column_layout.h"

#define COLUMN_GAP_GUTTER 4    /* least width of the gap in points */
#define COLUMN_GAP_SAME   1.5F /* points: edges closer than that are aligned */
#define BESIDE_LINES      8    /* least number of lines of a column */
#define BESIDE_PROSE      36   /* average characters of a line of running text */

/* One text row, split at the start of the right column. */
struct column_gap_row {
    float base, size, y0, y1;
    struct line left, right; /* words.n: 0 if the side is empty */
    /* across: words cross the gap; cut: the rows before it belong to other columns */
    bool across, cut;
};

/* A position where a right column can begin. */
struct column_gap_strip {
    const struct area *panel; /* the fill behind one of the columns; or NULL */
    float x;
    bool right; /* the right column is the filled one */
};

/* Makes the rows of all lines and returns their number; `rows` has room for one for each line.
 * Items that are not lines, and words and items that are in columns already, block a gap. */
size_t column_gap_rows(const struct line_list *lines, const struct item_list *items,
                       const struct column_gap_strip *strip, struct column_gap_row *rows);
/* The number of characters of a line without leader dots. */
size_t column_gap_chars(const struct line *line);
/* Whether the rows are two columns. `panel`: one of them has a fill behind it. */
bool column_gap_is(const struct column_gap_row *rows, size_t n, bool panel);
