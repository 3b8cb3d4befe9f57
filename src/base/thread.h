/* thread: threads with small stacks, a name to see them by, and no signals: the main thread takes
 * those. */
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "base/err.h"

/* `name`: at most 15 bytes. */
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *arg), void *arg,
                 struct err *err);

/* The same with a stack of so many bytes, for what recurses over documents. */
int thread_start_deep(pthread_t *thread, const char *name, size_t stack, void *(*run)(void *arg),
                      void *arg, struct err *err);
/* How many threads of this process can run at a time: its share of the machine. */
int thread_cores(void);

/* A condition on monotonic time, and a wait on it of at most ms milliseconds. */
void thread_cond_init(pthread_cond_t *cond);
void thread_cond_wait_ms(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ms);
