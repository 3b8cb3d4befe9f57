/* note_line: a line of notes below a table: "1 Estimate.   2 Corrected later.   a In part." */
#pragma once

#include "layout/regions/rows.h"

/* Whether a row is notes of the n rows above it: each of its segments is a mark and a text, and the
 * first mark is raised somewhere in these rows, or, if `alone`, is one with which marks begin. */
bool note_line_is(const struct row *row, const struct row *above, size_t n, bool alone);
