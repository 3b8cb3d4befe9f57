/* figures: places the pictures of a page, in the text or at fixed positions. */
#pragma once

#include "layout/reflow/chart.h"
#include "layout/reflow/column_layout.h"
#include "layout/reflow/layout.h"

/* Makes pictures of charts with their labels. */
void figures_charts(const struct layout *layout, struct arena *arena, struct page_content *content,
                    struct word *words, size_t n);
/* Makes items of the pictures that belong into the text. */
void figures_place(const struct layout *layout, struct arena *arena,
                   const struct page_content *content, struct page *page, struct item_list *items);
/* Adds a picture at its fixed position. */
void figures_float(struct page *page, const struct page_picture *picture);
