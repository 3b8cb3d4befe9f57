/* coverage_order: which edges come first. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Sorts n keys by their upper 32 bits, which are at most `most`; of few, by the others too. `spare`
 * has room for as many. Where the sorted ones are: one of the two. */
uint64_t *coverage_order(uint64_t *keys, uint64_t *spare, size_t n, unsigned most);
