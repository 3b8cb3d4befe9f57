/*
 * sequence_diff: which elements of two sequences are the same: patience (the longest increasing
 * subsequence of elements that are in each sequence once), again in what is between these, and the
 * greedy algorithm of Myers (An O(ND) difference algorithm, 1986) where no such elements are.
 * Memory grows linearly with the sequences, and the work is limited.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* n elements from a on of the first sequence are the same as those from b on of the second. */
struct matched_run {
    uint32_t a, b, n;
};

struct matched_runs {
    struct matched_run *items; /* in the order of both sequences; no two touch in both */
    size_t n, cap;
    bool coarse; /* the work reached its limit: elements may be missing that are the same */
};

/* Compares elements by their numbers, which are below n_ids. The caller frees runs->items, also
 * after a failure. ERR_LIMIT_EXCEEDED when out of memory. */
int sequence_diff(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t n_ids,
                  struct matched_runs *runs, struct err *err);
