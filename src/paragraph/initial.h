/* initial: large letters that paragraphs begin with, as high as some of their lines. They become
 * letters of the first line. */
#pragma once

#include "paragraph/flow.h"

/* Of the words of a column; before lines are made of them. The one it found, or NULL. */
struct word *initial_find(const struct flow *flow, struct word **words, size_t n, float *bottom);
/* The lines beside it, down to `bottom`, begin where the first one does. */
void initial_indent(const struct word *initial, float bottom, struct line_list *lines);
