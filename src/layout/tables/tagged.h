/* tagged: tables that a tagged PDF marks as such, without ruled lines. */
#pragma once

#include "layout/tables/grid.h"

/* Finds such tables among words without an owner. A table whose cells are not arranged in rows and
 * columns is rejected. */
struct grid_list tagged_tables(struct arena *arena, const struct page_content *content,
                               const struct word *words, size_t n);
