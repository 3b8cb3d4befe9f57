/*
 * figures: the pictures of a page: in the text, or at their places.
 */
#pragma once

#include "reflow/chart.h"
#include "reflow/layout.h"
#include "reflow/zones.h"

/* Charts become pictures with their words; how many glyphs these are. */
size_t figures_charts(const struct layout *layout, struct arena *arena, struct sheet *sheet,
                      struct word *words, size_t n);
/* Those that stand in the text become items of it. */
void figures_place(const struct layout *layout, struct arena *arena, const struct sheet *sheet,
                   struct page *page, struct item_list *items);
/* A picture at its place. */
void figures_float(struct page *page, const struct sheet_picture *picture);
