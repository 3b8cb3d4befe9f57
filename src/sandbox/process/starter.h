/*
 * starter: a process that stays root next to a server that gives up root. It starts the server's
 * programs that become a user of their own, worker programs and platen-webhook, and nothing else:
 * it has the capabilities for that alone, and accepts only paths of these programs. What it starts
 * is a child of the server.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* What programs get. It contains nothing of the server's own environment, which may contain
 * passwords. */
extern char *const starter_environment[];

/* Starts the starter, for the programs of this folder (program_path): as root, and while there is
 * one thread. */
int starter_begin(const char *folder, struct err *err);
/* Whether there is one. */
bool starter_runs(void);
/* Has it start the program at the path with the descriptor as its control socket. */
int starter_start(const char *program, int control, pid_t *pid, struct err *err);
