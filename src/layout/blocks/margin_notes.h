/*
 * margin_notes: text in the outer margin of facing pages, next to the body text and not a part of
 * it, such as a running title and a page number.
 */
#pragma once

#include "layout/columns/column_layout.h"
#include "layout/paragraph/flow.h"

/* Makes the few words in the outer margin text boxes at their places, if the document has facing
 * pages. `page`: the column of its text. Adds to to->text_boxes, for which it allocates room for
 * all n words. Jumps to arena->full without memory. */
void margin_notes_add(const struct flow *page, struct word *words, size_t n, struct page *to);
