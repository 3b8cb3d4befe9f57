/* drawn: whether drawings around words are a chart, whose labels are arranged in rows and
 * columns like the cells of a table. */
#pragma once

#include "tables/rows.h"

/* Whether curves or bars are drawn between the words of the rows, which cover the area. Lines,
 * fills of cells and small drawings in cells, such as ticks, do not count. */
bool drawn_is_chart(const struct sheet *sheet, const struct area *area, const struct row *rows,
                    size_t n);
