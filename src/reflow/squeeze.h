/*
 * squeeze: a page whose contents would not fit onto it gets less white between them: what stood one
 * beside the other is now one below the other, and what the edge of the page cut off is whole.
 */
#pragma once

#include "page/model.h"

/* So that what is in tables needs no more than their rows, and that the page's text ends at
 * `limit`, if there is white enough. */
void squeeze_page(struct page *page, float limit);
