/* table_style: finds the lines and fills of tables that were found by their words. */
#pragma once

#include "layout/page/rules.h"
#include "layout/tables/grid.h"

/* Moves edges of rows to lines near them, which become borders of cells; sets fills of cells;
 * and claims what is drawn in the table. */
void table_style_set(struct arena *arena, struct page_content *content,
                     const struct rule_list *rules, struct grid *grid);
/* The x of the edge between two columns with white space from `from` to `to`: near `from` if the
 * texts of the column before it are aligned right (right_before), else near `to` if those of the
 * column after it are aligned left (left_after), else in the middle. */
float table_style_edge(float from, float to, bool right_before, bool left_after);
