/*
 * blank_page: whether a page is blank, decided by what is drawn. Anything visible that is not part
 * of a picture, as text or lines, makes a page not blank, however small it is. In pictures (scans)
 * it is tolerated what scanners add to an empty page. All lengths are those of a page whose
 * shorter side is 210 mm; other pages are measured in proportion.
 *
 * A pixel is ink if it differs from the paper around it by 40 of 255 levels. Not counted is ink in
 * spots of at most 1 mm, unless six are within 12 mm or all together are more than a thousandth of
 * the page; in shadows that begin at an edge and end within 8 mm of it; in holes of 4 to 9 mm that
 * are near an edge; and in streaks that are at most 1 mm wide and run along the whole page. Paper
 * darker than the middle gray is never blank.
 */
#pragma once

#include "engine/mupdf/damage.h"
#include "engine/mupdf/mupdf_document.h"

/* A page that could not be read completely is not blank, and *damage says why. Errors are those of
 * page_drawing_open and page_drawing_draw. */
int blank_page_check(struct mupdf_document *doc, size_t page, bool *blank, struct damage *damage,
                     struct err *err);
