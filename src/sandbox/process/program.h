/* program: starts a helper program of the server: a worker program, platen-signer or
 * platen-webhook. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct program {
    pid_t pid;
    int pidfd;
    int control; /* our end of the socket */
};

#define ZYGOTE_CONTROL  3 /* the descriptor of the control socket in the program */
#define ZYGOTE_DESCRIBE "--describe"
#define ZYGOTE_PROTOCOL 1 /* version of the messages; server and programs belong to one build */

#define PROGRAM_NONE ((struct program){ -1, -1, -1 })

/* Makes the path FOLDER/name; an empty folder means that of the running program or, if it does
 * not contain the program, the one that the build installs worker programs in. */
int program_path(const char *folder, const char *name, char *out, size_t cap, struct err *err);

/*
 * Starts the executable at the path `program` with the control socket as ZYGOTE_CONTROL, no other
 * descriptor but standard error, a session of its own (a terminal's Ctrl-C is for the server) and a
 * minimal environment. May be called with any number of threads running.
 */
int program_start(const char *program, struct program *out, struct err *err);
/* Waits ten seconds for the program to end, kills it if it has not, and reaps it (waitpid(2)).
 * Returns whether it ended by itself. */
bool program_end(struct program *program);
