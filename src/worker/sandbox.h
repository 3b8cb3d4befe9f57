/*
 * sandbox: what keeps a job's process to its job. The layers stand for themselves: what gets
 * through one meets the next, and one the kernel or container lacks is left out and not mentioned
 * in sandbox_layers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "worker/worker.h"

enum sandbox_layer {
    SANDBOX_USER = 1 << 0,         /* started as root: becomes `platen-worker`, else 65534 */
    SANDBOX_CAPABILITIES = 1 << 1, /* none is left */
    SANDBOX_NO_NEW_PRIVS = 1 << 2,
    SANDBOX_RLIMITS = 1 << 3,
    SANDBOX_LANDLOCK = 1 << 4,
    SANDBOX_SECCOMP = 1 << 5,
    SANDBOX_ALL = (1 << 6) - 1,
};

struct sandbox;

/* What the libraries of one program need beyond what every job's process has. */
struct sandbox_needs {
    const int *calls; /* system calls that are refused to others, not ended with SIGSYS */
    size_t n_calls;
    const char *const *folders; /* to be read, files too; NULL-terminated; may be missing */
    size_t n_files;             /* descriptors */
};

/* In the zygote, once: gives up what no job needs, for good, and finds out by trying which of the
 * other layers work. `needs` may be NULL; it is not kept. */
struct sandbox *sandbox_open(const struct sandbox_needs *needs, struct err *err);
/* "user,capabilities,no_new_privs,rlimits,landlock-7,seccomp". Borrowed. */
const char *sandbox_layers(const struct sandbox *sandbox);

/* In the zygote, once, after sandbox_open and before anything else is done there: seccomp and
 * Landlock for the program itself, of the layers that work. `parent`: O_PATH, the folder that its
 * own folder is made in, or 0. `runs_itself`: it will execve itself; the layers are still there
 * then, and are not entered again. */
int sandbox_enter_zygote(const struct sandbox *sandbox, int parent, bool runs_itself,
                         struct err *err);

/* What a job's process may still do. */
struct sandbox_scope {
    const int *readable, *writable; /* files it may open again */
    size_t n_readable, n_writable;
    int folder;     /* O_PATH: where it may make, change and remove files; 0 or less: nowhere */
    size_t n_files; /* descriptors it may have */
    bool threads;   /* whether it may start threads; never processes */
    struct worker_limits limits;
};

/* In the process of a job, once. Nothing of it can be undone. */
int sandbox_enter(const struct sandbox *sandbox, const struct sandbox_scope *scope,
                  struct err *err);

/* Tests only, before sandbox_open: these layers and no others, so that each is seen at work. */
void sandbox_only(unsigned layers);
