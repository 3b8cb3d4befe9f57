/*
 * column_transition: the transition from one column to the next. The two parts of a paragraph that
 * continues there are joined, and a full column gets no column break, so that later edits reflow.
 */
#pragma once

#include "layout/paragraph/survey.h"

/* For all sections of the page: joins paragraphs that continue in the next column, and sets
 * `poured` and `even`. page->end must be set. Jumps to arena->full without memory. */
void column_transition_join(const struct survey *survey, struct arena *arena, struct page *page);
/* Removes the blocks with the indexes `from` to end - 1 from the section; the blocks after them
 * move up. */
void column_transition_remove(struct section *section, size_t from, size_t end);
/* Removes the column breaks of a section whose columns flow into each other. */
void column_transition_open(struct section *section);
/* Extends a column at the right side to the page's right margin and indents its contents
 * instead: LibreOffice gives all sections of a page the margins of the first one, and would move
 * the column. */
void column_transition_widen(struct page *page);
