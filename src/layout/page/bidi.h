/* bidi: the reading order of lines with right-to-left text (Unicode Standard Annex 9). */
#pragma once

#include "layout/page/bidi_order.h"
#include "layout/page/words.h"

/* A character with what belongs to its glyph, or a gap between two words, in reading order. */
struct bidi_item {
    const struct word *word;    /* of a gap: the one on its right; NULL after the last item */
    const struct glyph *glyphs; /* n_glyphs in the order in which they are read; of a gap: NULL */
    size_t n_glyphs;
    uint32_t code; /* that of the first glyph, mirrored where necessary; or ' ' or '\t' */
    bool rtl;      /* it belongs to text from right to left */
};

/* Whether n lines of one paragraph in a column are read from right to left. */
bool bidi_is_rtl(const struct page_content *content, const struct line *lines, size_t n,
                 const struct column *column);
/* Whether a line has right-to-left letters. */
bool bidi_has_letters(const struct line *line);

/* The reading order of a line from its word `skip` on; *n: the number of items. `rtl`: the
 * paragraph's direction. `tabs`: for each of the line's words, whether a tab is before it; or NULL.
 * *last: the paragraph's last letter before the line, and then in it. Jumps to arena->full without
 * memory. */
struct bidi_item *bidi_read(struct arena *arena, const struct line *line, size_t skip, bool rtl,
                            const bool *tabs, enum bidi_letter *last, size_t *n);
/* The reading order of the glyphs of a word that is not such text: numbers can be drawn from right
 * to left. order[0] is read first. */
void bidi_digits(const struct word *word, size_t *order);
