/* bullets: replaces dots and squares that are drawn before lines, as browsers do, by the
 * characters that they look like. */
#pragma once

#include "layout/page/page_content.h"

/* Replaces such drawings and fills of the page by glyphs, before its words are found. */
void bullets_find(struct page_content *content);
