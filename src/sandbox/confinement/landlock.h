/*
 * landlock: restricts the files that a job's process may open (landlock(7)): only fonts and shared
 * libraries for reading, and the job's own files by their inodes. Where the kernel supports it,
 * also TCP (ABI 4), device ioctls (5), abstract Unix sockets and signals to other processes (6).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct landlock {
    int abi;         /* the kernel's, at most the latest that we know; 0: not supported */
    bool network;    /* TCP is allowed */
    int folders[40]; /* O_PATH: opened once, not for every job */
    size_t n_folders;
};

/* Prepares the rules of a worker program's jobs. `more`: further readable folders and files,
 * NULL-terminated, or NULL. */
void landlock_prepare(struct landlock *landlock, const char *const *more);
/* Prepares the rules of a network client instead, which may read the files that it needs to find
 * and trust its peer (sandbox/process/peer_files.h), and none of ours. */
void landlock_prepare_client(struct landlock *landlock);
/*
 * To be called in a worker program, for itself and all jobs that are forked from it: nothing is
 * created, removed or renamed except beneath `folder` (O_PATH, or 0: nowhere), no TCP, no signals
 * to processes outside. Reading and writing files is left to each job's own rules: a job opens its
 * documents again, which this program does not know when it starts. Cannot be undone. Requires
 * no_new_privs.
 */
int landlock_enter_zygote(const struct landlock *landlock, int folder, struct err *err);
/* Lists of paths, NULL-terminated; a path may be missing. */
struct landlock_paths {
    const char *const *readable, *const *writable, *const *executable;
};
/* Restricts this process to these paths and `folder` (O_PATH), before it executes a program. What
 * can be written can be read, too. Cannot be undone. Requires no_new_privs. */
int landlock_enter_companion(const struct landlock *landlock, const struct landlock_paths *paths,
                             int folder, struct err *err);
/* Restricts this process, a job's, to the prepared rules, the given descriptors' files and `folder`
 * (O_PATH, or 0: none), in which files may be created, changed and removed. Cannot be undone.
 * Requires no_new_privs. */
int landlock_enter(const struct landlock *landlock, const int *readable, size_t n_readable,
                   const int *writable, size_t n_writable, int folder, struct err *err);
