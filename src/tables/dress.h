/* dress: the lines and colours of tables that were found by their words. */
#pragma once

#include "page/rules.h"
#include "tables/grid.h"

/* Moves edges of rows to lines near them, which become borders of cells; colours cells; and takes
 * what is drawn in the table. */
void dress_grid(struct arena *arena, struct sheet *sheet, const struct rule_list *rules,
                struct grid *grid);
/* Where the edge between two columns is: near the text that begins, or ends, at one place. `from`
 * and `to`: the white between them. */
float dress_edge(float from, float to, bool right_before, bool left_after);
