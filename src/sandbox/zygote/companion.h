/*
 * companion: a program that runs next to the process of a job, such as a browser, with a folder of
 * its own: a new one for each job, and ended with it, unless it is kept for another job
 * (sandbox/zygote/kept_companions.h). From the first job on, that of the next one is started ahead,
 * so that it need not wait, and before the job is known. The job's process talks to it over two
 * pipes, and it has no descriptors but those: 3 to read from, 4 to write to.
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
    int64_t idle_bytes;   /* the same between two jobs, beyond which it is not kept */
};

struct companion {
    pid_t pid;       /* 0: there is none */
    unsigned number; /* of its folder; 0: it has none */
    unsigned jobs;   /* that it ran next to */
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
/* The bytes that its processes use together and do not share. */
int64_t companion_bytes(pid_t pid);
/* Closes this process's ends of the pipes. */
void companion_close(struct companion *companion);
/* Ends the program with every process that it has made, and waits until they have ended. */
void companion_end(pid_t pid);
