/* joins: which lines of a column go on in the next. */
#pragma once

#include "paragraph/flow.h"

struct joins {
    float leading; /* most often between lines of the column; 0 */
    float inset;   /* of a cell: from its edges to the text */
    float right;   /* where its lines end at most */
    const struct line *first;
    float *rights; /* where each line from the first on ends at most */
};

void joins_study(struct joins *joins, const struct flow *flow, const struct line_list *lines);
/* Whether the paragraph of the n lines goes on in the one after them. */
bool joins_next(const struct joins *joins, const struct flow *flow, const struct line *lines,
                size_t n);
/* Whether the gap before the i-th word of a line is a tab. */
bool joins_is_tab(const struct line *line, size_t i);
/* Whether a line has such gaps. */
bool joins_is_gapped(const struct line *line, size_t skip);
/* Whether the next line is indented to a word of this one, which it hangs on: "[1] A reference". */
bool joins_hangs(const struct line *line, const struct line *next, size_t i);
/* A label the line begins with; false if there is none. *text: the first word after it. */
bool joins_label(const struct flow *flow, const struct line *line, struct label *label,
                 size_t *text);
