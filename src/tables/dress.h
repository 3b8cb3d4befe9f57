/* dress: finds the lines and fills of tables that were found by their words. */
#pragma once

#include "page/rules.h"
#include "tables/grid.h"

/* Moves edges of rows to lines near them, which become borders of cells; sets fills of cells;
 * and marks what is drawn in the table as used. */
void dress_grid(struct arena *arena, struct sheet *sheet, const struct rule_list *rules,
                struct grid *grid);
/* The edge between two columns: near the text that begins, or ends, at one position. `from` and
 * `to`: the white space between them. */
float dress_edge(float from, float to, bool right_before, bool left_after);
