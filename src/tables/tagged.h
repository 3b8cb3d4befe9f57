/* tagged: the tables a tagged PDF says are on a page, where no lines show them. */
#pragma once

#include "tables/grid.h"

/* Of words that are not used. A table whose cells do not stand in rows and columns is none. */
struct grid_list tagged_tables(struct arena *arena, const struct sheet *sheet,
                               const struct word *words, size_t n);
