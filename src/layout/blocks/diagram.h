/*
 * diagram: a page that is one drawing with labels, such as a figure that was saved as a page. Its
 * words are not lines of text: they become text boxes at their places, over the drawing.
 */
#pragma once

#include "layout/paragraph/flow.h"

/* Whether the page has nothing but drawings and labels, no running text and no table. */
bool diagram_is(struct arena *arena, const struct page_content *content, struct word *words,
                size_t n);
/* Whether such a page can be nothing else: its labels reach its edges, as where a figure was cut
 * out, or many of them are vertical. Slanted words are rather those of a page that was designed. */
bool diagram_is_sure(const struct page_content *content, const struct word *words, size_t n);
/* Makes text boxes of all words. */
void diagram_put(const struct flow *flow, struct word *words, size_t n, struct page *page);
