/* edit_distance: how similar two words are. */
#pragma once

#include <stddef.h>

/* The number of letters to insert, delete or change (Levenshtein), ignoring case; 99 for words
 * of more than 40 letters. */
size_t edit_distance(const char *a, const char *b);
