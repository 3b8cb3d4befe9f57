/*
 * place: the destination of the result of `platen run`.
 *
 * OUT is a file, a folder (one that exists, or a name that ends in "/", which is made), a name with
 * %d or %03d for the number of each part of a result, or "-" for standard output. As with cp(1), an
 * existing file is replaced through symbolic links and keeps its mode and owner, and a device, pipe
 * or terminal is written to; unlike with cp, a file appears complete or not at all.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "sandbox/worker/worker.h"

#define PLACE_PATH 4096 /* room for a path with its NUL */

struct place {
    enum { PLACE_FILE, PLACE_FOLDER, PLACE_NUMBERED, PLACE_STREAM } kind;
    char path[PLACE_PATH]; /* after resolving symbolic links; for a stream as it was given */
    bool exists;           /* an existing file will be replaced */
    struct stat replaced;  /* attributes of the file that will be replaced */
    mode_t mask;           /* the umask of this process */
    struct place_rules {
        bool force;          /* replace also read-only files and inputs */
        char *const *inputs; /* paths of the documents as they were given, borrowed */
        size_t n_inputs;
    } rules;
};

/* Checks OUT before any work is done. Reads the umask by changing it for a moment: no other
 * thread may run. */
int place_find(struct place *place, const char *out, const struct place_rules *rules,
               struct err *err);
/* Checks the name of a file before any work is done: ERR_INVALID_REQUEST if its extension means
 * another kind than the result's (`gives`, or one of `also`, NULL-terminated) and, if the result
 * may have several parts (`many`), than a ZIP. */
int place_check_kind(const struct place *place, const char *gives, bool many,
                     const char *const *also, struct err *err);
/* Opens a file without a name, in the folder of the result if possible. Any user may open it
 * again through /proc/self/fd, as a worker does. The caller closes it. -1 on failure. */
int place_stage(const struct place *place, struct err *err);
/* Writes the result in `fd` to its destination, with signals blocked while a file gets its name;
 * in a folder as `name`, or under the names of its parts. The rules hold for each file of a
 * folder, and are checked before the first is written. ERR_INVALID_REQUEST if the file's
 * extension means another kind than the result's; several parts in one file are a ZIP. */
int place_save(const struct place *place, const char *name, int fd,
               const struct worker_result *result, struct err *err);
