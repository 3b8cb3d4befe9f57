/* table_head: finds the header rows of a table. */
#pragma once

#include "page/model.h"

#define TABLE_HEAD_ROWS 4 /* at most */

/*
 * How many rows from the top are headers: rows that are bold or shaded where those below are not,
 * or one row of words above columns of numbers. 0: none is recognised. Never all rows.
 */
size_t table_head_rows(const struct table *table, const struct sheet_font *fonts);
