/* shape: how a paragraph stands in its column: alignment, indents, tabs, line height, its place in
 * a list. */
#pragma once

#include "paragraph/joins.h"

/* All but the runs. How many words of the first line are a label, which the list draws. */
size_t shape_paragraph(const struct flow *flow, const struct line *lines, size_t n,
                       const struct joins *joins, struct paragraph *p);
