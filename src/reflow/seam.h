/*
 * seam: where a page ends and the next begins. A paragraph that goes on over the end of its page is
 * one in the document too, and a page that is full needs no break behind it: who writes on there
 * moves what follows.
 */
#pragma once

#include "base/err.h"
#include "paragraph/survey.h"

/* Sets before->after and after->before. Where a paragraph goes on, the last one of `before` is made
 * ready for it: a hyphen at its end is undone. Both pages' things live on; `arena` is that of
 * `before`; *lowest, at first 0, is how far down text went on pages that were full.
 * ERR_LIMIT_EXCEEDED. */
int seam_find(const struct survey *survey, struct arena *arena, struct page *before,
              struct page *after, float *lowest, struct err *err);
