/*
 * kept_files: the descriptors a program's libraries opened before the first job and go on using in
 * every job's process.
 */
#pragma once

#include <stddef.h>

#define KEPT_FILES 64

struct kept_files {
    int fds[KEPT_FILES];
    size_t n;
};

/* Every descriptor that is open now; beyond KEPT_FILES they are forgotten. */
void kept_files_note(struct kept_files *kept);
/* Leaves those that are open now and were not in `before`. */
void kept_files_since(struct kept_files *kept, const struct kept_files *before);
/* In a job's process: gives it pipes and eventfds of its own under the same numbers. What one
 * process writes into a pipe it shares with others is read by any of them. */
void kept_files_renew(const struct kept_files *kept);
