/* drawn: whether what is drawn around words is a chart, whose labels stand in rows and columns as
 * the cells of a table do. */
#pragma once

#include "tables/rows.h"

/* Whether curves or bars are drawn between the words of the rows, which take the area. Lines,
 * colours of cells and small drawings in cells, such as ticks, are no chart. */
bool drawn_is_chart(const struct sheet *sheet, const struct area *area, const struct row *rows,
                    size_t n);
