/* fnv: the hash FNV-1a of 64 bits, for tables in memory. Somebody who can choose the keys
 * can make them collide: a table of keys from outside limits how many slots a search visits. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)
/* 2^64 divided by the golden ratio: spreads low bits */
#define FNV_SPREAD UINT64_C(0x9e3779b97f4a7c15)

/* Continues `hash` by a byte, or by a larger value as a whole. */
static inline uint64_t fnv_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static inline uint64_t fnv_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++)
        hash = fnv_mix(hash, p[i]);
    return hash;
}

static inline uint64_t fnv_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = fnv_mix(hash, (unsigned char) *text);
    return hash;
}
