/* program: starts a helper program of the server: a worker program, platen-signer or
 * platen-webhook. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "sandbox/process/program_path.h"

struct program {
    pid_t pid;
    int pidfd;
    int control; /* our end of the socket */
};

#define ZYGOTE_DESCRIBE "--describe"
#define ZYGOTE_PROTOCOL 1 /* version of the messages; server and programs belong to one build */

#define PROGRAM_NONE ((struct program){ -1, -1, -1 })

/* Which user a program is started as. */
enum program_user {
    PROGRAM_SELF,  /* that of this process */
    PROGRAM_APART, /* root if the server was started as root (starter.h): the program becomes a user
                      of its own */
};

/*
 * Starts the executable at the path `program` with the control socket as ZYGOTE_CONTROL, no other
 * descriptor but standard error, a session of its own (a terminal's Ctrl-C is for the server) and a
 * minimal environment. May be called with any number of threads running.
 */
int program_start(const char *program, enum program_user user, struct program *out,
                  struct err *err);
/* Waits ten seconds for the program to end, kills it if it has not, and reaps it (waitpid(2)).
 * Returns whether it ended by itself. */
bool program_end(struct program *program);
