/* text_table: a table as text whose columns are padded with blanks. */
#pragma once

#include "base/buf.h"

struct text_table_cell {
    struct buf text;          /* UTF-8; lines end with '\n' */
    size_t row, column, span; /* span: columns, at least 1 */
    bool right;               /* even on its right */
};

struct text_table {
    size_t n_rows, n_columns, n_cells;
    struct text_table_cell *cells; /* in order of rows, then columns */
    size_t *widths;                /* of the columns, in character cells */
};

/* Takes room for the cells, which the caller fills; false: there is no memory. */
bool text_table_open(struct text_table *table);
void text_table_free(struct text_table *table);
/* Writes the rows, with `gap` blanks between two columns and none at the ends of lines. */
void text_table_put(struct text_table *table, size_t gap, struct buf *out);

/* How many character cells of a terminal the text takes: two for what East Asian scripts write,
 * none for marks that are set on another character. */
size_t text_table_width(const char *text, size_t n);
