/* spans: makes runs of a paragraph's lines: with spaces and hyphens as a writer would have typed
 * them, right-to-left text in reading order, one run for each style. */
#pragma once

#include "layout/paragraph/flow.h"

/* Adds the runs of n lines, without the first `skip` words, to the paragraph. Wide gaps become
 * tabs if the paragraph has tab stops at their positions (paragraph->tabs). */
void spans_make(const struct flow *flow, const struct line *lines, size_t n, size_t skip,
                struct paragraph *paragraph);
