/* letter_spacing: words with wide spaces between their letters, as in headings
 * ("C H A P T E R"), are read as words. */
#pragma once

#include "layout/page/page_content.h"

/* Removes the blanks between the letters of such words, whether the engine added them or they are
 * in the file, and extends each letter to the next one. To be called before words are made. */
void letter_spacing_join(struct page_content *content);
