/* shape: finds the format of a paragraph: alignment, indents, tabs, line height, list level. */
#pragma once

#include "layout/paragraph/joins.h"

/* Sets everything but the runs. Returns how many words of the first line are a list label, which
 * Word draws itself. */
size_t shape_paragraph(const struct flow *flow, const struct line *lines, size_t n,
                       const struct joins *joins, struct paragraph *p);
