/* rtl_letters: letters of scripts that are read from right to left, with their vowel signs. */
#pragma once

#include "layout/page/page_content.h"

/* Puts each mark of such a letter after it, at its place (GLYPH_MORE), wherever it was drawn,
 * leaves out strokes that make words longer (UNICODE_KASHIDA), and finds out whether most letters
 * of the page are such. */
void rtl_letters_join(struct page_content *content);
