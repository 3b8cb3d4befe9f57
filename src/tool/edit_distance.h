/* edit_distance: how near a word comes to another one. */
#pragma once

#include <stddef.h>

/* How many letters must be put in, taken out or changed (Levenshtein), of either case; 99 for words
 * of more than 40. */
size_t edit_distance(const char *a, const char *b);
