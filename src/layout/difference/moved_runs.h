/*
 * moved_runs: which of the elements that two sequences do not have in the same order are in both
 * nevertheless: runs of elements that were moved.
 */
#pragma once

#include "layout/difference/sequence_diff.h"

#define MOVED_LEAST 5 /* elements that a run has to have */

/*
 * partner: for each element of b the one of a that it matches, or UINT32_MAX; taken: whether an
 * element of a is matched. Runs are found among the others, each element in one run at most, in
 * the order of b. ERR_LIMIT_EXCEEDED when out of memory.
 */
int moved_runs_find(const uint32_t *a, size_t n, const uint32_t *b, size_t m, const bool *taken,
                    const uint32_t *partner, struct matched_runs *runs, struct err *err);
