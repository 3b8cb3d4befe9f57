/* coverage: checks that the text that was written for a page still has the page's words. */
#pragma once

#include "base/buf.h"
#include "layout/page/words.h"

/*
 * True if at least 98 of 100 characters of the n words are in the text (UTF-8 without blanks), as
 * parts of whole words. Labels of lists, headers and footers (words_is_apart) do not count.
 */
bool coverage_holds(const struct buf *text, const struct word *words, size_t n);
