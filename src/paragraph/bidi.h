/* bidi: the order in which text that goes from right to left, or both ways, is read. */
#pragma once

#include "page/words.h"

/* The order of a line's words, from the one at `skip` on: order[0] is read first. There is room for
 * all of them. `rtl`: the paragraph goes from right to left. */
void bidi_words(const struct line *line, size_t skip, bool rtl, size_t *order);
/* The same for the glyphs of a word: what is drawn from left to right can be read from right to
 * left. */
void bidi_glyphs(const struct word *word, size_t *order);
