/*
 * kept_files: the descriptors that a program's libraries opened before the first job and use in
 * every job's process.
 */
#pragma once

#include <stddef.h>

#define KEPT_FILES 64 /* limit of the descriptors of one program */

struct kept_files {
    int fds[KEPT_FILES];
    size_t n;
};

/* Records every descriptor that is open now, up to KEPT_FILES. */
void kept_files_note(struct kept_files *kept);
/* Records the descriptors that are open now and are not in `before`. */
void kept_files_since(struct kept_files *kept, const struct kept_files *before);
/* To be called in a job's process: replaces pipes and eventfds by new ones with the same numbers.
 * Otherwise any process could read what another one wrote. */
void kept_files_renew(const struct kept_files *kept);
