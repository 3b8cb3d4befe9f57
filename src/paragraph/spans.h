/* spans: the text of a paragraph's lines as runs: spaces and hyphens as a writer would have typed
 * them, right-to-left text in the order it is read, style by style. */
#pragma once

#include "paragraph/flow.h"

/* The runs of n lines, without the first `skip` words, go to paragraph. Wide gaps become tabs at
 * the places in its tabs, if it has some. */
void spans_make(const struct flow *flow, const struct line *lines, size_t n, size_t skip,
                struct paragraph *paragraph);
