/* text_table: writes a table as text with columns padded with blanks. */
#pragma once

#include "base/buf.h"

struct text_table_cell {
    struct buf text;          /* UTF-8; lines end with '\n' */
    size_t row, column, span; /* span: columns, at least 1 */
    bool right;               /* aligned right */
};

struct text_table {
    size_t n_rows, n_columns, n_cells;
    struct text_table_cell *cells; /* in order of rows, then columns */
    size_t *widths;                /* of the columns, in character cells */
};

/* Allocates the cells, which the caller fills; false: out of memory. */
bool text_table_open(struct text_table *table);
void text_table_free(struct text_table *table);
/* Writes the rows, with `gap` blanks between two columns and none at the ends of lines. */
void text_table_put(struct text_table *table, size_t gap, struct buf *out);

/* The number of terminal cells of a text: two for East Asian characters, none for combining
 * marks. */
size_t text_table_width(const char *text, size_t n);
