/* nearest: compares names, and finds the name that was probably meant. In all of it case is
 * ignored, and '-' equals '_'. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool nearest_same(const char *a, const char *b);

/* The edit distance of two names (Damerau's, in its restricted form: exchanged neighbours count
 * once). Returns most + 1 if it is more than `most`, or if a name is longer than 64 bytes. */
size_t nearest_distance(const char *a, const char *b, size_t most);

/* The name among at(arg, 0), at(arg, 1) and so on, up to NULL, that `word` probably means: the
 * nearest one, within one edit and one more for each four letters of the word, or else the only one
 * that contains the word; NULL if there is none. */
const char *nearest_name(const char *word, const char *(*at)(const void *arg, size_t i),
                         const void *arg);
