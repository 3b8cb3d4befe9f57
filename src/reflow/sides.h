/*
 * sides: two columns with a text of their own each, as the one at the side of a curriculum vitae
 * and the wide one beside it. Lines of both can stand at one height, and still nobody reads from
 * one to the other: it is no table.
 */
#pragma once

#include "reflow/zones.h"

#define SIDES 4 /* such pairs of columns on a page */

/* Marks the words of the lines, and the items that are no lines, which stand in such columns
 * (word.side, item.side); how many pairs there are. */
size_t sides_find(struct arena *arena, const struct sheet *sheet, const struct line_list *lines,
                  struct item_list *items);
