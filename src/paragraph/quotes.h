/* quotes: block quotations: paragraphs that are indented on both sides. A line of one is full if it
 * reaches the end of the quotation's longest line, not the right edge of the column. */
#pragma once

#include "paragraph/joins.h"

/* Makes joins->rights, the right edge of each line; joins->right must be set. */
void quotes_study(struct joins *joins, const struct flow *flow, const struct line_list *lines);
