/* drawn: recognises charts, so that they are not taken for tables: their labels are arranged in
 * rows and columns like cells. */
#pragma once

#include "layout/regions/rows.h"

/* Whether curves or bars are drawn between the words of the rows, which cover the area. Lines,
 * fills of cells and small drawings in cells, such as ticks, do not count. */
bool drawn_is_chart(const struct page_content *content, const struct area *area,
                    const struct row *rows, size_t n);
