/* verbatim: lines that stay lines, whatever room they leave: those of programs and of receipts. */
#pragma once

#include "layout/paragraph/joins.h"

/* Whether the lines of a column are those of a program or of a receipt, and not typewritten text:
 * most are monospaced, and few go on in the next because its first word had no room. */
bool verbatim_is_column(const struct joins *joins, const struct page_content *content,
                        const struct line_list *lines);
/* Whether a line is drawn with characters: it consists of '-', '=', '_', '*', '.' and the like. */
bool verbatim_is_rule(const struct line *line);
/* Whether both of two lines end with an amount of money, or the first one, which is `alone` so far,
 * is short, and the second does not begin with a small letter. */
bool verbatim_parts_amounts(const struct line *a, const struct line *b, bool alone);
