/*
 * agent_folders: the folders in which `platen mcp` reads and writes files. A path outside of them
 * is refused, whatever symbolic links and .. are in it (openat2(2) with RESOLVE_BENEATH).
 */
#pragma once

#include <limits.h>
#include <stddef.h>

#include "base/err.h"

#define AGENT_FOLDERS 16

struct agent_folders {
    char paths[AGENT_FOLDERS][PATH_MAX]; /* without symbolic links */
    int fds[AGENT_FOLDERS];
    size_t n;
};

/* Adds a folder, which must exist. */
int agent_folders_add(struct agent_folders *folders, const char *path, struct err *err);
/* Opens a file to read. A path that does not begin with / is searched in all folders, in order.
 * `folder` becomes the path of the folder that the file is in. Returns the descriptor or -1. */
int agent_folders_open(const struct agent_folders *folders, const char *path,
                       char folder[static PATH_MAX], struct err *err);
/*
 * Makes a new file. `where` is a folder, or a path whose last part is the name of the file; `name`
 * is the file's name if `where` is a folder. A file that exists stays: the new one then has a
 * number in its name. `made` becomes its path. Returns the descriptor or -1.
 */
int agent_folders_create(const struct agent_folders *folders, const char *where, const char *name,
                         char made[static PATH_MAX], struct err *err);
/* Whether agent_folders_create can make a file there. */
int agent_folders_check(const struct agent_folders *folders, const char *where, struct err *err);
void agent_folders_close(struct agent_folders *folders);
