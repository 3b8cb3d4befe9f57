/* table_top: what stands above a borderless table and is not a head of its columns. */
#pragma once

#include "layout/regions/region.h"

/* Whether a row is on a coloured bar of the region's width, and the row above it is not: the table
 * begins with the bar, or below it. `above`, `below`: their baselines. */
bool table_top_is_above_bar(const struct search *search, const struct region *region, float above,
                            float below);
/* Leaves out the title at the top of a region that grew from row `seed`: lines in larger type, or
 * several lines alone, one below the other with no rule between them. */
void table_top_drop_titles(const struct search *search, struct region *region, size_t seed);
