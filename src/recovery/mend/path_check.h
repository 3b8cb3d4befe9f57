/*
 * path_check: decides whether a path operator after damage is plausible. Data that was decoded past
 * damage has wrong digits here and there, and one wrong line width covers the page: drawing must
 * stay within the range of the sound part.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PATH_LENGTHS 24 /* number of powers of two that are distinguished */

struct path_lengths {
    size_t n, of[PATH_LENGTHS]; /* histogram by powers of two */
};

struct path_check {
    bool has_point; /* there is a current point (ISO 32000-1, 8.5.2) */
    bool damaged;   /* set by the caller: what follows may be damaged */
    size_t n;       /* number of coordinates seen before */
    double least, most;
    double x, y;                       /* the current point */
    struct path_lengths steps, widths; /* distances between points, and line widths, seen before */
    double width;                      /* the greatest line width, 0: none */
};

/* Whether to draw the operator `name` with its n bytes of operands, which are separated by blanks.
 * If so, the numbers are remembered as examples for later ones.
 * Operators that are not of paths are always drawn. */
bool path_check(struct path_check *check, const char *name, const char *operands, size_t n);
