/*
 * sandbox: confines a job's process in independent layers: what one does not stop meets the next. A
 * layer that the kernel or container does not support is left out, and is missing from
 * sandbox_layers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "sandbox/confinement/syscalls.h"
#include "sandbox/protocol/worker_job.h"

enum sandbox_layer {
    SANDBOX_USER = 1 << 0,         /* if started as root: becomes `platen-worker`, or else 65534 */
    SANDBOX_CAPABILITIES = 1 << 1, /* drops all capabilities */
    SANDBOX_NO_NEW_PRIVS = 1 << 2,
    SANDBOX_RLIMITS = 1 << 3,
    SANDBOX_LANDLOCK = 1 << 4,
    SANDBOX_SECCOMP = 1 << 5,
    SANDBOX_ALL = (1 << 6) - 1,
};

struct sandbox;

/* What the libraries of one program need beyond what every job's process has. */
struct sandbox_needs {
    const int *calls; /* system calls that fail instead of ending the process with SIGSYS */
    size_t n_calls;
    const char *const *folders; /* readable folders and files, NULL-terminated; may be missing */
    size_t n_files;             /* number of descriptors */
    bool libraries;             /* whether shared libraries are opened while a job runs; if not, no
                                   file can become executable memory */
};

/* To be called once, in the zygote: gives up what no job needs, for good, and finds out by trial
 * which of the other layers work. `needs` may be NULL and need not outlive the call. */
struct sandbox *sandbox_open(const struct sandbox_needs *needs, struct err *err);
/* The names of the layers that work here, such as
 * "user,capabilities,no_new_privs,rlimits,landlock-7,seccomp". Borrowed. */
const char *sandbox_layers(const struct sandbox *sandbox);

/* To be called once in the zygote, after sandbox_open and before anything else: enters seccomp and
 * Landlock for the program itself, where they work. `parent`: O_PATH, the folder that its own
 * folder is made in, or 0. `exec`: what it will execute; if that is itself, the layers then stay,
 * and are not entered again. */
int sandbox_enter_zygote(const struct sandbox *sandbox, int parent, enum syscalls_exec exec,
                         struct err *err);

/* What a program may do that runs next to the process of a job (sandbox/zygote/companion.h). Lists
 * of paths, NULL-terminated; a path may be missing. */
struct sandbox_companion {
    const char *const *readable, *const *writable, *const *executable;
    int64_t data_bytes; /* limit of what each of its processes can write to in memory */
    size_t n_files;     /* limit of the descriptors of each */
};
/* To be called in the process that will execute the program. `folder` (O_PATH): where it may
 * create, change and remove files. It has no network: the zygote's layers refuse sockets already.
 */
int sandbox_enter_companion(const struct sandbox *sandbox, const struct sandbox_companion *what,
                            int folder, struct err *err);

/* For a program that talks to other hosts: gives up root if `another_user`, all capabilities, and
 * the system calls that no such program needs. Where the machine forbids one of these, the others
 * are in force. Files are closed by landlock_enter, before. */
void sandbox_enter_client(bool another_user);

/* What a job's process may still do. */
struct sandbox_scope {
    const int *readable, *writable; /* files that it may open again */
    size_t n_readable, n_writable;
    int folder;     /* O_PATH: where it may create, change and remove files; 0 or less: nowhere */
    size_t n_files; /* limit of its descriptors */
    bool threads;   /* whether it may start threads */
    bool processes; /* whether it may fork, if it may not start threads; it may never exec */
    struct worker_limits limits;
};

/* Enters the sandbox: to be called once, in the process of a job. Cannot be undone. */
int sandbox_enter(const struct sandbox *sandbox, const struct sandbox_scope *scope,
                  struct err *err);

/* Tests only, before sandbox_open: enables these layers and no others, so that each can be
 * tested. */
void sandbox_only(unsigned layers);
