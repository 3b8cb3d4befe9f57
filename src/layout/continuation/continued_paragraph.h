/*
 * continued_paragraph: decides whether a paragraph continues in the one that begins the next column
 * or page, and joins the two.
 */
#pragma once

#include "layout/page/arena.h"
#include "layout/page/model.h"

/* The i-th block of a section, if it is a paragraph of plain text; or NULL. */
struct paragraph *continued_paragraph_text(const struct section *section, size_t i);
/* Whether q begins where the next line of p would. */
bool continued_paragraph_is(const struct paragraph *p, const struct paragraph *q);
/* Whether the paragraph's end looks like the end of a paragraph, not the middle of a sentence. */
bool continued_paragraph_ends(const struct paragraph *p);
/* Whether the sentence continues from p to q, by the letters at the break. */
bool continued_paragraph_within(const struct paragraph *p, const struct paragraph *q);
/* Prepares the end of the first paragraph for the second one's text: removes a hyphen at its
 * end, or adds a space. */
void continued_paragraph_join(struct arena *arena, struct paragraph *p, const struct paragraph *q);
/* Appends the second paragraph's text to the first. */
void continued_paragraph_append(struct arena *arena, struct paragraph *p,
                                const struct paragraph *q);
/* The space before a block. */
float continued_paragraph_space(const struct block *block);
/* The least height of a block that must fit a column for the block to begin there. */
float continued_paragraph_least(const struct block *block);
/* The first block from i on that is neither a picture nor a caption below one; or `end`. */
size_t continued_paragraph_past(const struct section *section, size_t i, size_t end);
