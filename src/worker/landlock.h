/*
 * landlock: which files a job's process may open (landlock(7)). Everything is refused but reading
 * fonts and shared libraries, and the job's own files by their inodes. Where the kernel is new
 * enough also TCP (ABI 4), device ioctls (5), abstract Unix sockets and signals to others (6).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct landlock {
    int abi;         /* that of the kernel, at most what we know; 0: there is none */
    bool network;    /* TCP is let */
    int folders[40]; /* O_PATH: looked up once, not for every job */
    size_t n_folders;
};

/* `more`: further folders and files to be read, NULL-terminated, or NULL. */
void landlock_prepare(struct landlock *landlock, const char *const *more);
/* For a client of the network instead, which may read what finding and trusting its peer takes
 * (worker/peer_files.h), and nothing of ours. */
void landlock_prepare_client(struct landlock *landlock);
/*
 * In a worker program, for itself and all jobs that are forked from it: nothing is made, removed or
 * renamed but beneath `folder` (O_PATH, or 0: nowhere), no TCP, no signals to processes outside.
 * Reading and writing files is left to each job's own rules: a job opens its documents again, which
 * this program does not know when it starts. Cannot be undone. Needs no_new_privs.
 */
int landlock_enter_zygote(const struct landlock *landlock, int folder, struct err *err);
/* `folder`: O_PATH, or 0: where files may be made, changed and removed. Cannot be undone. Needs
 * no_new_privs. */
int landlock_enter(const struct landlock *landlock, const int *readable, size_t n_readable,
                   const int *writable, size_t n_writable, int folder, struct err *err);
