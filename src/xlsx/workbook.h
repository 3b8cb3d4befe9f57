/*
 * workbook: a workbook (ECMA-376, Part 1, 18) of sheets, one after the other. A sheet grows row by
 * row and goes into the file when it ends.
 */
#pragma once

#include "base/err.h"
#include "xlsx/styles.h"

#define WORKBOOK_ROWS    1048576 /* of a sheet, at most */
#define WORKBOOK_COLUMNS 16384
#define WORKBOOK_SHEETS  5000
#define WORKBOOK_TEXT    32767 /* characters of a cell, at most; what is longer is cut */

struct workbook;

/* The file at `path`, borrowed, which is there. */
struct workbook *workbook_open(const char *path, struct err *err);
void workbook_free(struct workbook *workbook);

/* Begins a sheet. The name is cut to 31 characters, without those that a name may not have; the
 * caller sees to it that it is the only one. ERR_LIMIT_EXCEEDED beyond WORKBOOK_SHEETS. */
int workbook_sheet(struct workbook *workbook, const char *name, struct err *err);
/* Begins the next row of the sheet; false: it has as many as there may be. */
bool workbook_row(struct workbook *workbook);
size_t workbook_rows(const struct workbook *workbook);
/* A cell of the row, with columns from 0, in ascending order. `value` says what the text is; a text
 * may have several lines ('\n'). */
void workbook_cell(struct workbook *workbook, size_t column, const char *text, size_t n,
                   const struct value *value, const struct cell_style *style);
/* Cells from the current row and `column` on are one. */
void workbook_merge(struct workbook *workbook, size_t column, size_t columns, size_t rows);
/* The column is at least `points` wide. */
void workbook_width(struct workbook *workbook, size_t column, float points);
/* The first n rows stay in sight. */
void workbook_freeze(struct workbook *workbook, size_t rows);

/* Ends the file, which has one sheet at least. */
int workbook_end(struct workbook *workbook, struct err *err);
