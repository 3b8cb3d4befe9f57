/* bidi: the reading order of right-to-left and mixed text (Unicode Standard Annex 9). */
#pragma once

#include "layout/page/words.h"

/* The reading order of a line's words, from index `skip` on: order[0] is read first. There is
 * room for all of them. `rtl`: the paragraph is right-to-left. Jumps to arena->full without memory.
 */
void bidi_words(struct arena *arena, const struct line *line, size_t skip, bool rtl, size_t *order);
/* The same for the glyphs of a word, which are stored from left to right. */
void bidi_glyphs(const struct word *word, size_t *order);
