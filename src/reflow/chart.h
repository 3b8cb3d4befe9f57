/*
 * chart: drawings that have words in them: curves, bars, diagrams with what is said at their axes
 * and in their boxes. Where text stands beside them, as in a column, such words would come between
 * its lines: they mean something where they stand, and are a part of the drawing's picture.
 */
#pragma once

#include "page/words.h"

#define CHARTS ((size_t) 12) /* of a page */

/* The areas of charts, with their words: of what no table, word or border shows so far. */
size_t charts_find(struct arena *arena, const struct sheet *sheet, struct word *words, size_t n,
                   struct area *areas);
/* What is in the area is shown by its picture; how many glyphs that are. *text: the words, in the
 * arena. */
size_t chart_take(struct arena *arena, struct sheet *sheet, struct word *words, size_t n,
                  const struct area *area, const char **text);
