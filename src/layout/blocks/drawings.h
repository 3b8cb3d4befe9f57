/* drawings: finds drawings on a page that no table, paragraph or word represents: charts, logos,
 * frames. */
#pragma once

#include "layout/page/arena.h"
#include "layout/page/words.h"

/* Finds the areas to be shown as pictures, each with the `order` of its last mark
 * (layout/page/content.h). `found` has room for PAGE_DRAWINGS. Returns their number. */
size_t drawings_find(struct arena *arena, const struct page_content *content,
                     struct drawing *found);
/* Whether something in `part` of the page, and shown by nothing else, was drawn after `order` over
 * `area`. */
bool drawings_cover(const struct page_content *content, const struct area *area, uint32_t order,
                    const struct area *part);
/* Like drawings_find, for areas of visible glyphs whose characters are not known and that are not
 * parts of words: only a picture can show them. */
size_t drawings_find_unread(struct arena *arena, const struct page_content *content,
                            const struct word *words, size_t n_words, struct drawing *found);
/* Whether a drawing is a rectangle around most of a page: all that is drawn there is straight
 * lines, and areas under the page's n words, and there is a line at each of its four sides. */
bool drawings_are_border(const struct page_content *content, const struct area *area,
                         const struct word *words, size_t n);
