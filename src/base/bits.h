/* bits: sets of small numbers, one bit for each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the number i is in the set, an array of at least i / 64 + 1 words. */
static inline bool bits_has(const uint64_t *set, size_t i)
{
    return set[i / 64] >> i % 64 & 1;
}

static inline void bits_add(uint64_t *set, size_t i)
{
    set[i / 64] |= (uint64_t) 1 << i % 64;
}
