/*
 * errand: the server's side of what a job's process asks (worker/ask.h). Each question is answered
 * on a thread of its own, so that whoever watches the job goes on watching.
 */
#pragma once

#include <pthread.h>

#include "worker/ask.h"

struct errand {
    const struct tool_services *services;
    int sock; /* our end; -1: the job may not ask, or has ended */
    unsigned asked[ASK_KINDS];
    struct ask question; /* that is being answered */
    pthread_t thread;
    bool begun;            /* there is a thread to be joined */
    bool over;             /* the process will ask no more */
    atomic_bool answered;  /* it is about to end */
    atomic_bool abandoned; /* nobody waits for it */
};

/* Makes the socket. The process's end in *theirs is the caller's. */
int errand_open(struct errand *errand, const struct tool_services *services, int *theirs,
                struct err *err);
/* What to poll for reading; -1: nothing. */
int errand_socket(const struct errand *errand);
/* It is readable: takes one question and begins to answer it; never waits. -1: the process
 * asks for what it must not, or before it was answered. */
int errand_take(struct errand *errand, struct err *err);
/* Gives up what is under way. May be called on one that was never opened but has sock -1. */
void errand_close(struct errand *errand);
