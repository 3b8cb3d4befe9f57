/*
 * path_check: whether a path operator behind damage can be what stood there. Data that was unpacked
 * past damage has wrong digits here and there, and one wrong width of a line covers the page: what
 * draws has to keep within what the sound part drew.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PATH_LENGTHS 24

struct path_lengths {
    size_t n, of[PATH_LENGTHS]; /* by powers of two */
};

struct path_check {
    bool has_point; /* a current point (ISO 32000-1, 8.5.2) */
    bool damaged;   /* is what comes now, perhaps: for the caller to say */
    size_t n;       /* coordinates seen before, */
    double least, most;
    double x, y;                       /* the current point */
    struct path_lengths steps, widths; /* from one point to the next, and of lines, before */
    double width;                      /* the greatest of a line, 0: none */
};

/* Whether `name` with its operands, one after the other with blanks, is drawn; remembers it. What
 * is no operator of a path is. */
bool path_check(struct path_check *check, const char *name, const char *operands, size_t n);
