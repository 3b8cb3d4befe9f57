/*
 * table_break: the name of another table between two borderless tables, and tables of one record.
 */
#pragma once

#include "layout/regions/region.h"

/* Whether a row of one segment is the name of another table than the region above it: the rows
 * below it have other columns. */
bool table_break_is(const struct search *search, const struct region *region, size_t row);
/* Whether the region is a row of heads and a row of values, each of which is aligned with its head.
 */
bool table_break_is_record(const struct search *search, const struct region *region);
