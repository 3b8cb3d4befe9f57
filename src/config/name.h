/* name: compares names, and finds the name that was probably meant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether two names are equal, ignoring case and with '-' equal to '_'. */
bool name_same(const char *a, const char *b);

/* The edit distance of two names (Damerau's, in its restricted form: exchanged neighbours count
 * once); more than `most` is `most + 1`. */
size_t name_distance(const char *a, const char *b, size_t most);

/* The one of `n` names that was probably meant, or NULL. `at` returns the i-th. */
const char *name_nearest(const char *word, const char *(*at)(size_t i), size_t n);
