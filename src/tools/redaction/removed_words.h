/* removed_words: which texts redact removes from all that is not on pages: those that are asked
 * for, and what was found. */
#pragma once

#include "base/err.h"
#include "pdf/redact/redact_hits.h"
#include "pdf/redact/redact_words.h"

/* Adds a text a line; `lines` may be NULL. `whole`: they count as whole words only.
 * ERR_LIMIT_EXCEEDED when out of memory. */
int removed_words_add_lines(struct redact_words *words, const char *lines, bool whole,
                            struct err *err);
/* Adds what was found; an area adds nothing. What a pattern or a preset has found, and what was
 * found elsewhere than on a page, counts only where nothing continues it. */
void removed_words_add_hit(struct redact_words *words, const struct redact_hit *hit, bool whole);
