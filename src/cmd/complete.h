/*
 * complete: what may follow the words of a command line, for the shells. The scripts in
 * packaging/completion call `platen complete WORD...` with the words after "platen", the last of
 * which is the one that is completed. A line is printed for each candidate,
 *
 *     WORD<tab>what it is
 *
 * and ":files .pdf .PDF" (files, with these endings if there are some) or ":folders" where the
 * shell knows the candidates itself.
 */
#pragma once

#include <stddef.h>

struct complete_command {
    const char *name, *help;
};

/* `commands` ends in a NULL name. Returns the exit status, 0. */
int cmd_complete(int argc, char **argv, const struct complete_command *commands);
