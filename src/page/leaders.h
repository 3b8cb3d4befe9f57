/* leaders: the dots that lead from an entry of a table of contents to its page. Where a line ends
 * with them and a few characters they are no text but what a tab is filled with. */
#pragma once

#include "page/words.h"

/* Which glyphs of the sheet are dots of a row of them: n_glyphs flags, or NULL if there are none.
 */
bool *leaders_find(struct arena *arena, const struct sheet *sheet);
/* Takes them out of the lines that have them; what they lead to is `led`. */
void leaders_take(struct line_list *lines);
