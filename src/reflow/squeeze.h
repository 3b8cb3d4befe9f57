/*
 * squeeze: fits a page whose contents would need more than the page by reducing the white space
 * between them. Contents that were next to each other may now be one below the other, and contents
 * that the page's edge cut off are whole.
 */
#pragma once

#include "page/model.h"

/* Makes the contents of tables fit their rows, and the page's text end at `limit`, if there is
 * enough white space. */
void squeeze_page(struct page *page, float limit);
