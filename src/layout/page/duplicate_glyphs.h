/* duplicate_glyphs: text that is drawn a second time, slightly moved, to look bold or to cast a
 * shadow. */
#pragma once

#include "base/err.h"
#include "layout/page/page_content.h"

/* Removes the earlier of two glyphs of the same character that overlap so much that they cannot
 * be two letters. Visible glyphs are kept rather than invisible ones. ERR_LIMIT_EXCEEDED for
 * memory. */
int duplicate_glyphs_drop(struct page_content *content, struct err *err);
