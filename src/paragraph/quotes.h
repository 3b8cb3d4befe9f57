/* quotes: block quotations: paragraphs that are indented on both sides. Their lines are full
 * when they reach their own longest line's end. */
#pragma once

#include "paragraph/joins.h"

/* Makes joins->rights, the right edge of each line; joins->right must be set. */
void quotes_study(struct joins *joins, const struct flow *flow, const struct line_list *lines);
