/*
 * workbook: writes a workbook (ECMA-376, Part 1, 18) sheet by sheet. A sheet grows row by row and
 * is written to the file when it ends.
 */
#pragma once

#include "base/err.h"
#include "write/xlsx/styles.h"

#define WORKBOOK_ROWS    1048576 /* limit of rows of a sheet */
#define WORKBOOK_COLUMNS 16384   /* limit of columns of a sheet */
#define WORKBOOK_SHEETS  5000    /* limit of sheets of a workbook */
#define WORKBOOK_TEXT    32767   /* limit of a cell in characters; longer texts are cut */

struct workbook;

/* Opens the existing file at `path`, which is borrowed. */
struct workbook *workbook_open(const char *path, struct err *err);
void workbook_free(struct workbook *workbook);

/* Begins a sheet. The name is cut to 31 characters, and forbidden characters are removed; the
 * caller ensures that it is unique. ERR_LIMIT_EXCEEDED beyond WORKBOOK_SHEETS. */
int workbook_sheet(struct workbook *workbook, const char *name, struct err *err);
/* Begins the next row of the sheet; false: the limit is reached. */
bool workbook_row(struct workbook *workbook);
/* The number of rows of the current sheet so far. */
size_t workbook_rows(const struct workbook *workbook);
/* Adds a cell to the row, with columns from 0 in ascending order. `value` is the type of the
 * text; a text may have several lines ('\n'). */
void workbook_cell(struct workbook *workbook, size_t column, const char *text, size_t n,
                   const struct value *value, const struct cell_style *style);
/* Merges cells, from the current row and `column` on. */
void workbook_merge(struct workbook *workbook, size_t column, size_t columns, size_t rows);
/* Makes the column at least `points` wide. */
void workbook_width(struct workbook *workbook, size_t column, float points);
/* Freezes the first `rows` rows of the sheet, so that they stay visible. */
void workbook_freeze(struct workbook *workbook, size_t rows);

/* Counts the columns of the sheet from the right. */
void workbook_from_right(struct workbook *workbook);

/* Ends the file, which must have at least one sheet. */
int workbook_end(struct workbook *workbook, struct err *err);
