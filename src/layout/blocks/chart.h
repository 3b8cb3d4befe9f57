/*
 * chart: finds drawings with text in them: curves, bars, diagrams with labels at their axes and in
 * their boxes. If they are next to text, as in a column, such labels would come between its lines:
 * they are meaningful only in their place, and are part of the drawing's picture.
 */
#pragma once

#include "layout/page/words.h"

/* Finds charts among the words that are not in tables, paragraphs or borders so far. Writes the
 * areas of charts with their labels to `areas`, at most PAGE_CHARTS, and returns their number. */
size_t chart_find_all(struct arena *arena, const struct page_content *content, struct word *words,
                      size_t n, struct area *areas);
/* The page's upright words without an owner, as lines that are cut where gaps are wide. */
struct line_list chart_pieces(struct arena *arena, const struct page_content *content,
                              struct word *words, size_t n);
/* Claims everything in the area for its picture. *text becomes the words there, in the arena. */
void chart_claim(struct arena *arena, struct page_content *content, struct word *words, size_t n,
                 const struct area *area, const char **text);
