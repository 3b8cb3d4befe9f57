/*
 * continued: whether a paragraph goes on in the one that begins the next column or page, and how
 * the two become one.
 */
#pragma once

#include "page/arena.h"
#include "page/model.h"

/* The i-th block of a section, if it is a paragraph of plain text; or NULL. */
struct paragraph *continued_text(const struct section *section, size_t i);
/* Whether the second begins where the first one's next line would. */
bool continued_is(const struct paragraph *p, const struct paragraph *q);
/* Whether it ends as a paragraph does, and not in the middle of a sentence. */
bool continued_ends(const struct paragraph *p);
/* Whether it goes on within a sentence, as far as the letters say. */
bool continued_within(const struct paragraph *p, const struct paragraph *q);
/* Makes the first one's text ready to be followed by the second one's: a hyphen at its end is
 * undone, or there is a space. */
void continued_join(struct arena *arena, struct paragraph *p, const struct paragraph *q);
/* Makes the first one's text go on with the second one's. */
void continued_append(struct arena *arena, struct paragraph *p, const struct paragraph *q);
/* The white before a block. */
float continued_space(const struct block *block);
/* What of a block has to go into a column for it to begin there. */
float continued_least(const struct block *block);
/* The first block from i on that is neither a picture nor what is said below one; or `end`. */
size_t continued_past(const struct section *section, size_t i, size_t end);
