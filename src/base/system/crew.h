/* crew: a thread pool: a fixed set of threads that take tasks from one queue, in order. */
#pragma once

#include <stddef.h>

#include "base/err.h"

struct crew;

struct crew *crew_new(const char *name, size_t n_threads, struct err *err);
/* Queues run(arg). The queue owns arg until the task begins. Returns 0, or -1 without memory. */
int crew_add(struct crew *crew, void (*run)(void *arg), void *arg);
/* Waits until every queued task has ended, then ends the threads. */
void crew_free(struct crew *crew);
