/* stacking: the order of the pictures of a page: what was drawn later hides what was drawn
 * before. */
#pragma once

#include "layout/page/model.h"

/* Sorts the pictures at fixed places, the topmost last. A drawing was painted in several steps, so
 * it has no single place in that order: it comes below each picture that none of its steps
 * overlaps. */
void stacking_sort(const struct page_content *content, struct page *page);
/* Removes the pictures at fixed places that are part of a larger picture (`whole` of struct
 * sheet_picture), and frees their bytes. */
void stacking_drop_shown(struct page_content *content, struct page *page);
/* Whether some picture is below a part of the drawing: the picture then has to become part of the
 * drawing. */
bool stacking_is_mixed(const struct page_content *content, const struct drawing *drawing);
/* Brings pictures in front of the text that coloured cells or paragraphs, or pictures in the text,
 * would hide, where they cover no words. */
void stacking_bring_front(const struct page_content *content, struct page *page);
