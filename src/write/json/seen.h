/*
 * seen: where something is on the page as one sees it: in points from the top left corner of the
 * visible page. Contents of pages have other coordinates where a page was turned for reading
 * (engine/page_text), or is larger than a Word document's.
 */
#pragma once

#include "layout/page/words.h"

struct area seen_area(const struct page_content *content, const struct area *area);
/* The width and height of the page. */
struct area seen_page(const struct page_content *content);
/* The box of a word, from the ascent of its font to the descent. */
struct area seen_word(const struct page_content *content, const struct word *word);
/* The size of the font of its first character, in points. */
float seen_size(const struct page_content *content, const struct word *word);
/* The direction in which a word is read, in degrees, clockwise: 0 for upright text. */
int seen_direction(const struct page_content *content, const struct word *word);
/* Whether a word is vertical writing: its characters are upright, one below the other. */
bool seen_is_vertical(const struct page_content *content, const struct word *word);
