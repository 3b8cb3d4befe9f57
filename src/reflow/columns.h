/*
 * columns: where a column ends and the next one begins. A paragraph that goes on there is one, and
 * a column that is full needs no break behind it: who writes on there moves what follows.
 */
#pragma once

#include "paragraph/survey.h"

/* For all sections of the page: what goes on in the next column is one paragraph, and it is known
 * whether text could go from column to column by itself. page->end is known. May longjmp. */
void columns_pour(const struct survey *survey, struct arena *arena, struct page *page);
/* Takes blocks out of the section: those behind them come earlier. */
void columns_take_out(struct section *section, size_t from, size_t end);
/* Takes away the breaks of a section that is poured. */
void columns_open(struct section *section);
/* A column at the right side goes as far as the page's text does, and what is in it is indented:
 * LibreOffice gives all sections of a page the margins of its first, and would move it for that. */
void columns_widen(struct page *page);
