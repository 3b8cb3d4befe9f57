/* nearest: finds the word that was probably meant. */
#pragma once

#include <stddef.h>

/* Finds the name that `word` probably means among those that at(cls, 0), at(cls, 1) and so on
 * return until NULL; NULL if no name is similar. */
const char *cmd_nearest(const char *word, const char *(*at)(const void *cls, size_t i),
                        const void *cls);

/* An `at` for a list of names that ends in NULL; cls is its first element. */
const char *cmd_nearest_in_list(const void *cls, size_t i);
