/*
 * place: where the result of `platen run` goes.
 *
 * OUT is a file, a folder (one that exists, or a name that ends in "/", which is made), or "-" for
 * standard output. As cp(1) does, a file that exists is replaced through symbolic links and keeps
 * its mode and owner, and a device, pipe or terminal is written to; unlike cp, a file appears whole
 * or not at all.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "worker/worker.h"

#define PLACE_PATH 4096

struct place {
    enum { PLACE_FILE, PLACE_FOLDER, PLACE_STREAM } kind;
    char path[PLACE_PATH]; /* without symbolic links; of a stream as it was given */
    bool exists;           /* a file that will be replaced: */
    struct stat replaced;
};

/* Judges OUT before any work is done. `force` allows a file that is read-only. */
int place_find(struct place *place, const char *out, bool force, struct err *err);
/* Whether the open file is the one that will be replaced. */
bool place_is(const struct place *place, int fd);
/* A file without a name, in the folder of the result if it can be there. Any user may open it again
 * through /proc/self/fd, as a worker does. The caller closes it. -1 on failure. */
int place_stage(const struct place *place, struct err *err);
/* The result in `fd` goes to its place; in a folder as `name`, or under the names of its parts.
 * ERR_INVALID_REQUEST if it has several parts and the file's name says that it is something else
 * than a ZIP. */
int place_save(const struct place *place, const char *name, int fd,
               const struct worker_result *result, struct err *err);
