/* drop_cap: drop caps: large first letters of paragraphs, several lines high. They become normal
 * letters of the first line. */
#pragma once

#include "layout/paragraph/flow.h"

/* Finds a drop cap among the words of a column, before lines are made, and makes it a letter of the
 * first line. *bottom: y of the baseline of the last line next to it. NULL: there is none. */
struct word *drop_cap_find(const struct flow *flow, struct word **words, size_t n, float *bottom);
/* Moves the left edges of the lines next to the drop cap, down to `bottom`, to its own left
 * edge. */
void drop_cap_indent(const struct word *letter, float bottom, struct line_list *lines);
