/*
 * gutters: finds the white space between columns of running text on a page, so that a table in one
 * column is not read together with the text next to it.
 */
#pragma once

#include "layout/page/rules.h"

/* Lines [from, to) have a left and a right column, of which the right one begins at x. */
struct gutter {
    size_t from, to;
    float x;
};

/* Finds the space that most lines of running text are next to; false: there is none. `lines` are
 * from top to bottom. */
bool gutters_find(struct arena *arena, const struct line_list *lines, const struct rule_list *rules,
                  struct gutter *gutter);
