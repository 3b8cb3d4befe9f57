/* presets: what a search can look for by a name: addresses, dates, numbers of people and accounts,
 * each with the check that it carries in itself. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PRESETS_MOST 64

/* Their names, in the order of the bits of a parameter; NULL-terminated. */
extern const char *const presets_names[];

/* The pattern of a preset, in any case. */
const char *presets_pattern(size_t preset);
/* How many of the n characters of a candidate, which matched the pattern, are one: 0: none. */
size_t presets_check(size_t preset, const uint32_t *codes, size_t n);
