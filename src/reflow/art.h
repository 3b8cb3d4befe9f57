/* art: what is drawn on a page and no table, paragraph or word shows: charts, logos, frames. */
#pragma once

#include "page/arena.h"
#include "page/words.h"

#define ART_CLUSTERS ((size_t) 40) /* of each kind */

/* The areas to be shown as pictures; how many. */
size_t art_find(struct arena *arena, const struct sheet *sheet, struct area *areas);
/* The same for glyphs whose characters nobody knows, where they do not stand in words: their
 * text can only be looked at. */
size_t art_unread(struct arena *arena, const struct sheet *sheet, const struct word *words,
                  size_t n_words, struct area *areas);
