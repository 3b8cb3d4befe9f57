/* program: starts a worker program. */
#pragma once

#include <sys/types.h>

#include "base/err.h"

struct program {
    pid_t pid;
    int pidfd;
    int control; /* our end of the socket */
};

#define PROGRAM_NONE ((struct program){ -1, -1, -1 })

/*
 * Starts it with the control socket as ZYGOTE_CONTROL, no other descriptor but standard error, its
 * own session (a terminal's Ctrl-C is for the server) and a bare environment. Safe with any number
 * of threads.
 */
int program_start(const char *program, struct program *out, struct err *err);
/* Ends it if it has not ended, and reaps it. */
void program_end(struct program *program);
