/* art: finds drawings on a page that no table, paragraph or word represents: charts, logos,
 * frames. */
#pragma once

#include "layout/page/arena.h"
#include "layout/page/words.h"

/* Finds the areas to be shown as pictures, each with the `order` of its last mark
 * (layout/page/sheet.h). `found` has room for SHEET_DRAWINGS. Returns their number. */
size_t art_find(struct arena *arena, const struct sheet *sheet, struct sheet_art *found);
/* Whether something in `part` of the page, and shown by nothing else, was drawn after `order` over
 * `area`. */
bool art_covers(const struct sheet *sheet, const struct area *area, uint32_t order,
                const struct area *part);
/* Like art_find, for areas of visible glyphs whose characters are not known and that are not parts
 * of words: only a picture can show them. */
size_t art_unread(struct arena *arena, const struct sheet *sheet, const struct word *words,
                  size_t n_words, struct sheet_art *found);
