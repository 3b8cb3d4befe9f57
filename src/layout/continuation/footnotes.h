/*
 * footnotes: finds footnotes at the end of a page or column. They are removed from the text, so
 * that it can continue on the next page or column.
 */
#pragma once

#include "layout/page/arena.h"
#include "layout/paragraph/survey.h"

/* Moves the page's footnotes to the runs that are their marks, and claims the separator line
 * above them. If a footnote has no mark in the text, those of its column stay in the
 * text, as does everything that is not certainly a footnote. May longjmp. */
void footnotes_find(const struct survey *survey, struct arena *arena, struct page_content *content,
                    struct page *page);
/* Moves text at the end of `after` that continues the last footnote of `before` to that
 * footnote. `arena` is that of `before`. May longjmp. */
void footnotes_join(struct arena *arena, struct page *before, struct page *after);
/* Undoes footnotes_join. */
void footnotes_part(struct page *after);
