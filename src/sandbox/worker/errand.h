/*
 * errand: the server's side of the questions of a job's process (sandbox/protocol/ask.h). Each
 * question is answered on a thread of its own, so that the thread that watches the job is not
 * blocked.
 */
#pragma once

#include <pthread.h>

#include "sandbox/protocol/ask.h"

struct errand {
    const struct tool_services *services;
    int sock; /* our end; -1: the job may not ask, or has ended */
    unsigned asked[ASK_KINDS];
    struct ask question; /* the question that is being answered */
    pthread_t thread;
    bool begun;            /* there is a thread to be joined */
    bool over;             /* the process will not ask any more */
    atomic_bool answered;  /* the thread is about to end */
    atomic_bool abandoned; /* the answer is not needed any more */
};

/* Makes the socket. The caller owns the process's end in *theirs. */
int errand_open(struct errand *errand, const struct tool_services *services, int *theirs,
                struct err *err);
/* The descriptor to poll for reading; -1: none. */
int errand_socket(const struct errand *errand);
/* To be called when the socket is readable: reads one question and begins to answer it; never
 * waits. -1: the process asks for something that it may not, or before the previous answer. */
int errand_receive(struct errand *errand, struct err *err);
/* Abandons a pending answer. May be called on an errand that was never opened but has sock -1. */
void errand_close(struct errand *errand);
