/* name: compares names, and finds the name that was probably meant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether two names are equal, ignoring case and with '-' equal to '_'. */
bool name_same(const char *a, const char *b);

/* The edit distance of two names (Damerau's, in its restricted form: exchanged neighbours count
 * once). Returns most + 1 if it is more than `most`, or if a name is longer than 64 bytes. */
size_t name_distance(const char *a, const char *b, size_t most);

/* The one of `n` names that was probably meant: the nearest one, within one edit and one more for
 * each five letters of the word, or else the only one that contains the word; or NULL. `at` returns
 * the i-th. */
const char *name_nearest(const char *word, const char *(*at)(size_t i), size_t n);
