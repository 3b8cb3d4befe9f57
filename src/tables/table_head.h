/* table_head: which rows at the top of a table are the heads of its columns. */
#pragma once

#include "page/model.h"

#define TABLE_HEAD_ROWS 4 /* at most */

/*
 * How many rows from the top are heads: rows that are bold or shaded where those below are not, or
 * one row of words above columns of numbers. 0: none can be told from the others. Never all rows.
 */
size_t table_head_rows(const struct table *table, const struct sheet_font *fonts);
