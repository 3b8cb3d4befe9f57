/* pairs: tables of two columns without ruled lines: what something is called, and what it is; what
 * is sold, and its price. */
#pragma once

#include "tables/grid.h"

/*
 * Tables of at least three rows whose right parts begin, or are amounts and end, at one place; of
 * words that are not used. What hangs on short words (dialogues, dictionaries), lists and tables of
 * contents are none.
 */
struct grid_list pairs_find(struct arena *arena, const struct sheet *sheet,
                            const struct line_list *lines);
