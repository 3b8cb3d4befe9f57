/* figures: places the pictures of a page, in the text or at fixed positions. */
#pragma once

#include "layout/blocks/chart.h"
#include "layout/columns/column_layout.h"

/* Draws a part of the page, with its text, as one more picture of the content; false: it failed. */
struct figures_drawer {
    bool (*draw)(void *hand, struct page_content *content, const struct area *area); /* or NULL */
    void *hand; /* first argument of `draw` */
};

/* Makes pictures of charts with their labels, if they can be drawn. */
void figures_charts(const struct figures_drawer *drawer, struct arena *arena,
                    struct page_content *content, struct word *words, size_t n);
/* Makes items of the pictures that belong into the text. `exact`: all stay at their places. */
void figures_place(bool exact, struct arena *arena, const struct page_content *content,
                   struct page *page, struct item_list *items);
/* Adds a picture at its fixed position. */
void figures_float(struct page *page, const struct page_picture *picture);
