/* continued_caption: the lines that say at a page's end that a table continues. */
#pragma once

#include "layout/page/model.h"

/* Whether the page begins with a line like "Table 3 (continued)" above a table, or ends (`last`)
 * with one like "continued on the next page" below one. */
bool continued_caption_is(const struct page *page, bool last);
/* Takes that line, if there is one, out of the page's blocks; its words then count as represented
 * (layout/complete.h). */
void continued_caption_remove(struct page *page, bool last);
/* Puts the line back above the table that begins the page, if one was taken. */
void continued_caption_part(struct page *page);
