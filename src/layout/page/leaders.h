/* leaders: the rows of dots that lead from an entry of a table of contents to its page number.
 * At the end of a line, before a few characters, they are not text but the leader of a tab. */
#pragma once

#include "layout/page/words.h"

/* Finds the glyphs of the page that are leader dots: returns n_glyphs flags, or NULL if there
 * are none. */
bool *leaders_find(struct arena *arena, const struct page_content *content);
/* Removes the dots from the lines and sets `led` of the words after them. */
void leaders_remove(struct line_list *lines);
