#include "dispatch/hub.h"

#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "base/thread.h"
#include "tap.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int n_woken;

static void woken(void *arg)
{
    pthread_mutex_lock(&lock);
    n_woken += *(int *) arg;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* Waits up to 10 s for the count. */
static bool reaches(int n)
{
    int64_t until = clock_mono_ms() + 10000;
    bool there;

    pthread_mutex_lock(&lock);
    while (n_woken < n && clock_mono_ms() < until)
        thread_cond_wait_ms(&changed, &lock, 100);
    there = n_woken == n;
    pthread_mutex_unlock(&lock);
    return there;
}

int main(void)
{
    struct err err;
    struct hub *hub;
    int one = 1;
    uint64_t ticket;

    thread_cond_init(&changed);
    hub = hub_new(&err);
    hub_wait(hub, "job-a", 60000, woken, &one);
    hub_wait(hub, "job-a", 60000, woken, &one);
    hub_wait(hub, "job-b", 60000, woken, &one);
    hub_wake(hub, "job-a");
    is_int(n_woken, 2, "all who wait for a job are woken, and nobody else");
    hub_wake(hub, "job-a");
    is_int(n_woken, 2, "once");
    ticket = hub_wait(hub, "job-c", 60000, woken, &one);
    ok(hub_cancel(hub, "job-c", ticket), "a wait can be taken back");
    hub_wake(hub, "job-c");
    is_int(n_woken, 2, "and is not woken then");
    ok(!hub_cancel(hub, "job-c", ticket), "it cannot be taken back twice");
    hub_wait(hub, "job-d", 1, woken, &one);
    ok(reaches(3), "a wait ends when its time is up");
    hub_close(hub);
    is_int(n_woken, 4, "closing wakes everybody");
    ok(hub_wait(hub, "job-e", 1, woken, &one) == 0, "and takes no more waits");
    hub_free(hub);
    is_int(n_woken, 4, "nobody is woken twice");
    return done_testing();
}
