/*
 * page_transition: the transition from one page to the next. Joins a paragraph or a table that
 * continues on the next page, and omits the page break after a full page, so that later edits
 * reflow.
 */
#pragma once

#include "base/err.h"
#include "layout/paragraph/survey.h"

/* Sets before->after and after->before. If a paragraph continues, the end of `before` is
 * prepared for it: a hyphen is removed. Both pages' objects must live on; `arena` is that of
 * `before`; *lowest, which is 0 before the first call, becomes the greatest y at which text
 * of a full page ended. ERR_LIMIT_EXCEEDED. */
int page_transition_find(const struct survey *survey, struct arena *arena,
                         const struct page_font *fonts, struct page *before, struct page *after,
                         float *lowest, struct err *err);
/* Undoes page_transition_find for the second page: the page will begin after a page break. */
void page_transition_undo(struct page *after);
