/* accents: joins marks that are drawn over, under or through a character, as TeX does, with the
 * character. */
#pragma once

#include "layout/page/page_content.h"

/* Replaces the two by one character, or the mark by a combining one (Unicode Standard, 3.6 and
 * 3.11). */
void accents_join(struct page_content *content);
