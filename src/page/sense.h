/* sense: what the letters where lines end and begin say of whether they are one sentence. */
#pragma once

#include "page/words.h"

/* Whether a sentence can end with the line. */
bool sense_ends(const struct line *line);
/* Whether the next line can only be of the same sentence: it begins with a small letter. */
bool sense_runs_on(const struct line *line, const struct line *next);
