/* carried: recognises the line above a part of a table that says that the table continues. */
#pragma once

#include "layout/page/words.h"

/* Whether a text says that a table continues, as "Table 3 (continued)" does, in one of several
 * languages. */
bool carried_says(const char *text, size_t n);
/* Whether a line of a page says that a table continues. */
bool carried_line(const struct line *line);
