/* quotes: block quotations: paragraphs that are indented on both sides. A line of one is full if it
 * reaches the end of the quotation's longest line, not the right edge of the column. */
#pragma once

#include "layout/paragraph/joins.h"

/* Makes joins->rights: for each line, the edge that a full line at its place reaches, which is
 * joins->right outside quotations. joins->right must be set. */
void quotes_study(struct joins *joins, const struct flow *flow, const struct line_list *lines);
