/* thread: starts threads with small stacks, a name for debuggers, and all signals blocked: the
 * main thread handles those. */
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "base/err.h"

/* Starts a thread with a small stack. `name`: at most 15 bytes. */
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *arg), void *arg,
                 struct err *err);

/* The same with a stack of `stack` bytes, for code that recurses over documents. */
int thread_start_deep(pthread_t *thread, const char *name, size_t stack, void *(*run)(void *arg),
                      void *arg, struct err *err);
/* The number of threads of this process that can run at the same time: its share of the machine. */
int thread_cores(void);

/* Makes a condition on monotonic time, and waits on it for at most ms milliseconds. */
void thread_cond_init(pthread_cond_t *cond);
void thread_cond_wait_ms(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ms);
