/*
 * columns: where a column ends and the next one begins. A paragraph that goes on there is one, and
 * a column that is full needs no break behind it: who writes on there moves what follows.
 */
#pragma once

#include "reflow/survey.h"

/* For all sections of the page: what goes on in the next column is one paragraph, and it is known
 * whether text could go from column to column by itself. page->end is known. May longjmp. */
void columns_pour(const struct survey *survey, struct arena *arena, struct page *page);
/* Takes away the breaks of a section that is poured. */
void columns_open(struct section *section);
