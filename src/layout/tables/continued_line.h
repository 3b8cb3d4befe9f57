/* continued_line: recognises the line above a part of a table that says that the table continues.
 */
#pragma once

#include "layout/page/words.h"

/* Whether a text says that a table continues, as "Table 3 (continued)" does, in one of several
 * languages. */
bool continued_line_says(const char *text, size_t n);
/* Whether a line of a page says that a table continues. */
bool continued_line_is(const struct line *line);
