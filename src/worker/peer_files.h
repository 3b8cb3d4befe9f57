/*
 * peer_files: what a client of the network reads to find its peer and to trust it: the tables and
 * settings of the resolver, the certificates and settings of TLS, and libraries. No more of /etc:
 * our settings and keys are there, and other people's.
 */
#pragma once

#include <stdint.h>

/* Files and folders that may be there, NULL-terminated. */
extern const char *const peer_files[];

/* Another number once one of them was replaced or changed: Landlock lets a client read the file
 * that was there when it was confined, not the one that has its name since. */
uint64_t peer_files_state(void);
