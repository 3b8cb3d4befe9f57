/*
 * relay: an ordered pipeline: threads make numbered items ahead of time, each thread with a state
 * of its own so that none waits for another, and the items are handed over in order.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define RELAY_THREADS 16 /* the largest number of threads */

struct relay;

struct relay_work {
    const char *name;   /* name of the threads, at most 15 letters */
    size_t stack_bytes; /* stack of each thread */
    size_t n;           /* number of items to make; they are numbered from 0 */
    size_t state_bytes; /* size of a thread's own state, which starts zeroed */
    /* size of an item; it starts zeroed and is reused for later items without being cleared */
    size_t item_bytes;
    const void *arg; /* borrowed, passed to all calls */
    /* Makes item `number` in *item. -1: it could not be made; the other items are made all the
     * same. */
    int (*make)(const void *arg, void *state, size_t number, void *item, struct err *err);
    /* frees a thread's state; called in that thread, at its end */
    void (*close)(const void *arg, void *state);
    /* frees an item; called in the thread of relay_free */
    void (*clear)(void *item);
};

/* Starts n_threads threads, at most RELAY_THREADS. Up to twice as many items as threads are made
 * ahead. */
struct relay *relay_start(const struct relay_work *work, int n_threads, struct err *err);
/* Waits for the next item. It is borrowed until the next call, also if -1 is returned. May be
 * called at most work->n times. */
int relay_next(struct relay *relay, void **item, struct err *err);
/* Waits for items that are being made, and drops those that were not fetched. NULL is fine. */
void relay_free(struct relay *relay);
