/* name: names that were meant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether two names are the same, with '-' taken for '_' and letters of either case. */
bool name_same(const char *a, const char *b);

/* How many letters are wrong, missing or too many; more than `most` is `most + 1`. Letters that
 * changed places count once (Damerau's distance, in its restricted form). */
size_t name_distance(const char *a, const char *b, size_t most);

/* The one of `n` names that was likely meant, or NULL. `at` gives the i-th. */
const char *name_nearest(const char *word, const char *(*at)(size_t i), size_t n);
