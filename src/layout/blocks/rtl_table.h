/*
 * rtl_table: tables that are read from right to left, as those of Arabic and Hebrew text are: their
 * first column is the rightmost one.
 */
#pragma once

#include "layout/page/model.h"

/* Whether most letters in the cells are of a script that is written from right to left. */
bool rtl_table_is(const struct table *table);

/* Counts the columns of all such tables of a page (table.rtl) from the right. To be called once,
 * after everything that compares columns with places on the page. */
void rtl_table_order(struct page *page);
