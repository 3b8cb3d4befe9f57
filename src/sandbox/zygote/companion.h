/*
 * companion: a program that runs next to the process of a job, such as a browser: a new one for
 * each job, with an empty folder, and ended with it. From the first job on, that of the next one is
 * started ahead, so that it need not wait, and before the job is known. The job's process talks to
 * it over two pipes, and it has no descriptors but those: 3 to read from, 4 to write to.
 */
#pragma once

#include <sys/types.h>

#include "base/err.h"
#include "sandbox/confinement/sandbox.h"
#include "sandbox/zygote/folder.h"

struct companion_setup {
    const char *path;               /* of the program */
    const char *const *argv;        /* NULL-terminated; its working folder is that of the job */
    const char *const *environment; /* without HOME and TMPDIR, which are that folder */
    struct sandbox_companion scope;
    int64_t memory_bytes; /* limit of what all of its processes use together and do not share */
};

struct companion {
    pid_t pid; /* 0: there is none */
    unsigned number;
    char folder[FOLDER_PATH];
    int ends[2]; /* to read from it and to write to it */
};

/* Starts the program in `out->folder`, which the caller has made. It ends when this process does.
 */
int companion_start(const struct companion_setup *setup, const struct sandbox *sandbox,
                    struct companion *out, struct err *err);
/* Ends the process of the program that uses most memory if all of them together use more than
 * `most` bytes that they do not share. A page is shown by a process of its own, whose end the
 * program reports. */
void companion_bound(pid_t pid, int64_t most);
/* Closes this process's ends of the pipes. */
void companion_close(struct companion *companion);
/* Ends the program with every process that it has made, and waits until they have ended. */
void companion_end(pid_t pid);
