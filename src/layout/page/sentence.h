/* sentence: whether two lines belong to one sentence, by the letters at their ends and beginnings.
 */
#pragma once

#include "layout/page/words.h"

/* Whether a sentence can end with the line. */
bool sentence_ends(const struct line *line);
/* Whether the next line must belong to the same sentence, because it begins with a lower-case
 * letter. */
bool sentence_runs_on(const struct line *line, const struct line *next);
/* Whether a character is a small letter. */
bool sentence_is_small(uint32_t c);
/* Whether a line begins with one. */
bool sentence_begins_small(const struct line *line);
