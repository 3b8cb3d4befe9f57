#include "base/system/thread.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#define STACK_BYTES ((size_t) 256 * 1024)

int thread_start_deep(pthread_t *thread, const char *name, size_t stack, void *(*run)(void *arg),
                      void *arg, struct err *err)
{
    pthread_attr_t attr;
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, stack);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(thread, &attr, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (failed) {
        errno = failed;
        return err_sys(err, "start a thread");
    }
    pthread_setname_np(*thread, name);
    return 0;
}

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *arg), void *arg,
                 struct err *err)
{
    return thread_start_deep(thread, name, STACK_BYTES, run, arg, err);
}

int thread_cores(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return n > 0 ? n : 1;
}

void thread_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

void thread_cond_wait_ms(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(cond, lock, &until);
}
