/* continued_row: the last row of a table that a page's end divides. */
#pragma once

#include "layout/page/arena.h"
#include "layout/page/model.h"

/* Whether row `at` of `next`, the rest of `table` on the next page, is the rest of the last row of
 * `table`: both have the same cells, and each cell with text continues a paragraph of the cell
 * above. At least one of these paragraphs has several lines on one of the pages, and at least one
 * other cell has ended. `aside`: as for continued_table_is. */
bool continued_row_is(const struct table *table, const struct table *next, size_t at, float aside);
/* Appends the text of row `at` of `next` to the last row of `table`. The row itself stays as it is.
 */
void continued_row_join(struct arena *arena, struct table *table, const struct table *next,
                        size_t at);
