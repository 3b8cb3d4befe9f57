/*
 * fit_to_page: makes a page fit by less white space, if its model is higher than the page was:
 * contents that were next to each other are now one below the other, or contents that the page's
 * edge cut off are whole.
 */
#pragma once

#include "layout/page/model.h"

/* Makes the contents of tables fit their rows, and the page's text end at `limit`, if there is
 * enough white space. */
void fit_to_page(struct page *page, float limit);
