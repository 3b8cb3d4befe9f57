/* listing: finds the lines of programs and of a terminal in a page, and writes them as they stand
 * there, with their indents and the blanks between their words. */
#pragma once

#include "write/markup/markup.h"

/* Whether a document's text is set in a monospaced font, so that such a font says nothing. */
bool listing_is_usual(const struct document_facts *facts);
/* How many of the n blocks, from the first on, are a listing, whose lines, each with its end, are
 * then added to `out`. 0: the first does not belong to one. */
size_t listing_find(const struct markup *markup, const struct page *page,
                    const struct block *blocks, size_t n, struct buf *out);
