/* program: starts a program that works for the server: a worker program, or platen-signer. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct program {
    pid_t pid;
    int pidfd;
    int control; /* our end of the socket */
};

#define PROGRAM_NONE ((struct program){ -1, -1, -1 })

/* FOLDER/name; an empty folder is that of the program that runs or, if it has no such program, the
 * one that the build installs worker programs in. */
int program_path(const char *folder, const char *name, char *out, size_t cap, struct err *err);

/*
 * Starts it with the control socket as ZYGOTE_CONTROL, no other descriptor but standard error, its
 * own session (a terminal's Ctrl-C is for the server) and a bare environment. Safe with any number
 * of threads.
 */
int program_start(const char *program, struct program *out, struct err *err);
/* Ends it if it has not ended, and reaps it. */
void program_end(struct program *program);
