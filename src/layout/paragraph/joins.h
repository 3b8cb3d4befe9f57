/* joins: decides which consecutive lines of a column belong to one paragraph. */
#pragma once

#include "layout/paragraph/flow.h"

/* What is measured of a column before its lines are joined, in points. */
struct joins {
    float leading;            /* most frequent distance of the column's lines; 0: unknown */
    float inset;              /* of a cell: from its edges to the text */
    float right;              /* right edge of its lines */
    float left;               /* left edge of those that are read from right to left */
    bool mixed;               /* fewer than half of its lines are in a monospaced font */
    bool verbatim;            /* its monospaced lines stay lines (layout/paragraph/verbatim.h) */
    const struct line *first; /* the column's first line */
    float *rights;            /* the edge that each line reaches if full, from `first` on */
};

/* Measures the lines of a column or cell; the result lives in the flow's arena. */
void joins_study(struct joins *joins, const struct flow *flow, const struct line_list *lines);
/* Whether the paragraph of the n lines continues in the line after them. */
bool joins_next(const struct joins *joins, const struct flow *flow, const struct line *lines,
                size_t n);
/* Whether the gap before the i-th word of a line is a tab. */
bool joins_is_tab(const struct line *line, size_t i);
/* Whether a line has such gaps after its first `skip` words. */
bool joins_is_gapped(const struct line *line, size_t skip);
/* Whether the next line is indented to the i-th word of this one (hanging indent): "[1] A
 * reference". */
bool joins_hangs(const struct line *line, const struct line *next, size_t i);
/* Finds the list label that the line begins with; false if there is none. *text: index of the
 * first word after it. */
bool joins_label(const struct flow *flow, const struct line *line, struct label *label,
                 size_t *text);
