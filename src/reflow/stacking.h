/* stacking: which pictures of a page hide which, as what was drawn later hides what was drawn
 * before. */
#pragma once

#include "page/model.h"

/* Sorts what has its place on the page, the last to be on top. Drawings, which are joined of parts
 * that were drawn at several times, are below the pictures that none of their parts covers. */
void stacking_sort(const struct sheet *sheet, struct page *page);
/* Takes away the pictures at their places that a drawing shows with all else that is there (see
 * `whole` of sheet_picture), and frees their bytes. */
void stacking_drop_shown(struct sheet *sheet, struct page *page);
/* Whether some picture is below a part of the drawing: it has to be drawn with it. */
bool stacking_is_mixed(const struct sheet *sheet, const struct sheet_art *drawing);
/* Puts before the text what coloured cells, paragraphs or pictures in the text would hide, where no
 * words are. */
void stacking_bring_front(const struct sheet *sheet, struct page *page);
