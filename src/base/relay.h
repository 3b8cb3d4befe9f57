/*
 * relay: threads that make numbered things ahead of when they are wanted, each with a state of its
 * own so that none waits for another, and hand them over in order.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define RELAY_THREADS 16 /* at most */

struct relay;

struct relay_work {
    const char *name;   /* of the threads, at most 15 letters */
    size_t stack_bytes; /* of each */
    size_t n;           /* things to make; their numbers begin at 0 */
    size_t own_bytes;   /* of a thread's own state, and of what a thing is made in: both are zero */
    size_t thing_bytes; /* at first; what is made later finds what was left there */
    const void *cls;    /* borrowed, shared by all */
    /* -1: it could not be made; the others are made all the same. */
    int (*make)(const void *cls, void *own, size_t number, void *thing, struct err *err);
    void (*close)(const void *cls, void *own); /* in its thread, at the end */
    void (*clear)(void *thing);                /* in the thread of relay_free */
};

/* Starts n_threads, or RELAY_THREADS. Twice as many things as threads are made ahead. */
struct relay *relay_start(const struct relay_work *work, int n_threads, struct err *err);
/* Waits for the next thing, which is borrowed until the next call, also with -1. At most work->n
 * times. */
int relay_next(struct relay *relay, void **thing, struct err *err);
/* Waits for what is being made, and forgets what is left. NULL is fine. */
void relay_free(struct relay *relay);
