/* quotes: paragraphs that are indented on both sides, as quotations are: their lines are full where
 * their own longest one ends. */
#pragma once

#include "paragraph/joins.h"

/* Sets where each of the lines ends at most; joins->right is known. */
void quotes_study(struct joins *joins, const struct flow *flow, const struct line_list *lines);
