/* vertical_text: pages of vertical writing, as of Japanese, whose columns follow each other from
 * right to left. */
#pragma once

#include "layout/page/page_content.h"

/* Turns a page whose text is mostly vertical writing, so that its columns are lines from top to
 * bottom (`vertical`). */
void vertical_text_turn(struct page_content *content);
/* Where an area of a turned page is on the page as it is drawn. */
struct area vertical_text_drawn(const struct page_content *content, const struct area *area);
/* The inverse for a picture, which stays upright, around its place. */
struct area vertical_text_placed(const struct page_content *content, const struct area *area);
