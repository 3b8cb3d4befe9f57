/*
 * ini: reads the lines of a configuration file.
 *     # a comment; so is a line that begins with ';'
 *     name = value      ; a comment after a blank
 *     name = value      # also one, if a blank is on both sides of the '#'
 *     [section]
 * A value is the rest of its line without the blanks around it; there are no quotes.
 */
#pragma once

#include <stdio.h>

#include "base/err.h"

#define INI_LINE 4096 /* longest line */

struct ini_line {
    int number;          /* from 1 */
    const char *section; /* "" before the first section */
    const char *name, *value;
};

/* Calls `each` for each setting, `section` for each [section], `fault` for each line that is
 * malformed. */
struct ini_reader {
    void (*each)(void *arg, const struct ini_line *line);
    void (*fault)(void *arg, int number, const struct err *fault);
    void (*section)(void *arg, int number, const char *name); /* NULL: not called */
    void *arg;
};

/* Reads the file to its end. -1 only if it cannot be read. */
int ini_read(FILE *file, const struct ini_reader *reader, struct err *err);
