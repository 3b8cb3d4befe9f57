/*
 * outer: text in the outer margin of facing pages, next to the text and not a part of it, such as
 * a running title and a page number that stand there.
 */
#pragma once

#include "paragraph/flow.h"
#include "reflow/zones.h"

/* Makes text boxes at their places of the few words in the outer margin, if the document has
 * facing pages. `page`: the column of its text. Adds to to->turned, for which it takes memory for
 * all n words. Jumps to arena->full without memory. */
void outer_take(const struct flow *page, struct word *words, size_t n, struct page *to);
