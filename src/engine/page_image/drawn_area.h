/* drawn_area: what of a page is drawn on, decided by its pixels. */
#pragma once

#include "engine/mupdf/mupdf_document.h"

/*
 * Finds the area of what differs from white, with annotations and form fields: left, top, width and
 * height in points from the top left corner of the page as it is shown, at most a pixel
 * of 96 to the inch larger. A width of 0: the page is blank. Errors are those of page_drawing_open
 * and page_drawing_draw.
 */
int drawn_area_find(struct mupdf_document *doc, size_t page, double area[static 4],
                    struct err *err);
