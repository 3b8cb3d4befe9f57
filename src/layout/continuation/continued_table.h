/* continued_table: decides whether a table continues in the one that begins the next page. */
#pragma once

#include "layout/page/model.h"

/*
 * Whether `next`, the first block of a page, is certainly the rest of `table`, the last block of
 * the page before. It is if both have as many columns, and either
 *   - the first rows of both have the same cells with the same words, of which most are not
 *     numbers (a repeated header), and these are at the same places, or no edge of a column is
 *     elsewhere by more than 5 % of the table's width; or
 *   - `next` has no header of its own, and no edge of a column is elsewhere by more than 2 points.
 * `aside` is how much farther to the left, in points, the next page's text begins. *repeated is the
 * number of first rows of `next` that repeat the header. Whether the pages are full and belong
 * together is the caller's to decide.
 */
bool continued_table_is(const struct table *table, const struct table *next,
                        const struct page_font *fonts, float aside, size_t *repeated);
/* Notes in both tables that the second is the rest of the first one, which is on the page before:
 * its columns become as wide, and the words of its repeated rows need not be written. `divided`:
 * the row after these is the rest of the last row of `table` (layout/continuation/continued_row.h).
 */
void continued_table_join(struct table *table, struct table *next, struct page *after,
                          size_t repeated, bool divided);
/* Undoes continued_table_join for the table that begins the page, if there is one: it will be a
 * table of its own. */
void continued_table_part(struct page *after);
/* The height of the first row that is not repeated. */
float continued_table_least(const struct table *next, size_t repeated);
