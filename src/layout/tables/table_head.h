/* table_head: finds the header rows of a table. */
#pragma once

#include "layout/page/model.h"

#define TABLE_HEAD_ROWS 4 /* limit of the header rows */

/*
 * How many rows from the top are headers: rows that are bold or shaded where those below are not,
 * or one row of words above columns of numbers; if the table continues on the next page, the rows
 * that are repeated there. 0: none is recognised, or it is the rest of a table. Never all rows of a
 * table that does not continue.
 */
size_t table_head_rows(const struct table *table, const struct page_font *fonts);
/* Sets n_heads of all tables of a page. */
void table_head_mark(struct page *page, const struct page_font *fonts);
