/* nearest: the word that was likely meant. */
#pragma once

#include <stddef.h>

/* The name of those that at(cls, 0), at(cls, 1) and so on give until NULL, which `word` was likely
 * meant to be; NULL if no name is near. */
const char *cmd_nearest(const char *word, const char *(*at)(const void *cls, size_t i),
                        const void *cls);

/* An `at` for a list of names that ends in NULL; cls is its first element. */
const char *cmd_nearest_in_list(const void *cls, size_t i);
