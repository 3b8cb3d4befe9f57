/*
 * peer_files: the files that a network client reads to find and trust its peer: tables and settings
 * of the resolver, certificates and settings of TLS, and libraries. Nothing else of /etc: our
 * settings and keys are there, and other people's.
 */
#pragma once

#include <stdint.h>

/* Files and folders that may exist, NULL-terminated. */
extern const char *const peer_files[];

/* A number that changes when one of them was replaced or changed: Landlock lets a client read
 * the file that existed when it was confined, not a later one with the same name. */
uint64_t peer_files_state(void);
