#include "server/dispatch/hub.h"

#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "base/system/thread.h"
#include "data/account/key.h"
#include "memory_store.h"
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

/* Waits up to a minute for the count. */
static bool reaches(int n)
{
    int64_t until = clock_mono_ms() + 60000;
    bool there;

    pthread_mutex_lock(&lock);
    while (n_woken < n && clock_mono_ms() < until)
        thread_cond_wait_ms(&changed, &lock, 100);
    there = n_woken == n;
    pthread_mutex_unlock(&lock);
    return there;
}

static int n_changed;

static void told(void *arg)
{
    n_changed += *(int *) arg;
}

static void told_later(void *arg)
{
    woken(arg);
}

static void check_listeners(void)
{
    const struct hub_limits limits = { 3, 2, 60000 };
    struct err err = { 0 };
    struct hub *hub = hub_new(&limits, &err);
    int one = 1, ten = 10;
    struct hub_listener *a = hub_listen(hub, "job-a", 1, told, &one, &err);
    struct hub_listener *b = hub_listen(hub, "job-b", 1, told, &ten, &err), *c;
    struct hub_news news = hub_look(hub, a);

    ok(!news.attempt && !news.over && !news.closed && !news.beat, "a new listener has no news");
    hub_report(hub, "job-a", 1, 0.25);
    hub_report(hub, "job-a", 1, 0.5);
    is_int(n_changed, 2, "the listeners of a changed job are notified, and no others");
    news = hub_look(hub, a);
    ok(news.attempt == 1 && news.progress == 0.5,
       "a listener that looks late sees the newest state only");
    hub_wake(hub, "job-a");
    ok(hub_look(hub, a).over && !hub_look(hub, a).over, "the end of a job is reported once");
    ok(!hub_listen(hub, "job-a", 1, told, &one, &err) && err.code == ERR_TOO_MANY_STREAMS,
       "a listener beyond the owner's limit is refused");
    c = hub_listen(hub, "job-a", 2, told, &one, &err);
    ok(c != NULL, "the limit of one owner does not affect another");
    ok(!hub_listen(hub, "job-a", 3, told, &one, &err) && err.code == ERR_OVERLOADED,
       "a listener beyond the limit of all owners is refused");
    hub_leave(hub, a);
    a = hub_listen(hub, "job-c", 1, told, &one, &err);
    ok(a != NULL, "a listener that left makes room for another");
    n_changed = 0;
    hub_close(hub);
    is_int(n_changed, 12, "closing the hub notifies all listeners");
    ok(hub_look(hub, b).closed && hub_look(hub, c).closed,
       "all listeners see that the hub is closed");
    hub_leave(hub, a);
    hub_leave(hub, b);
    hub_leave(hub, c);
    ok(!hub_listen(hub, "job-a", 1, told, &one, &err) && err.code == ERR_SHUTTING_DOWN,
       "a closed hub refuses new listeners");
    hub_free(hub);
}

static void check_beat(void)
{
    const struct hub_limits limits = { 10, 10, 20 };
    struct err err;
    struct hub *hub = hub_new(&limits, &err);
    struct hub_listener *listener;
    int one = 1;

    n_woken = 0;
    listener = hub_listen(hub, "job-a", 1, told_later, &one, &err);
    ok(reaches(1), "a heartbeat comes at its time");
    ok(hub_look(hub, listener).beat && !hub_look(hub, listener).over,
       "a heartbeat is not reported as a change of the job");
    hub_leave(hub, listener);
    hub_free(hub);
}

/* Between the look at a job and the wait for it, it may have ended. */
static void check_await(void)
{
    static char stem[] = "a", params[] = "{}", inputs[] = "[]";
    const struct store_terms terms = { .max_requests = 9, .max_bytes = 9, .max_unfinished = 9 };
    struct hub *hub = hub_new(&(struct hub_limits){ 3, 2, 60000 }, &(struct err){ 0 });
    struct store *store = memory_store_open();
    struct job job = {
        .tool = "rotate", .stem = stem, .params_json = params, .inputs_json = inputs
    };
    struct key key = { .name = "Anna", .plan = "pro" };
    struct store_receipt receipt;
    char text[KEY_TEXT];
    struct err err;
    int one = 1;
    const struct hub_waiter waiter = { woken, NULL, &one };

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    store_key_add(store, &key, &err);
    job.key_id = key.id;
    id_new(job.id);
    n_woken = 0;
    ok(!hub_await(hub, store, job.id, 60000, &waiter),
       "waiting for a job that does not exist is refused");
    hub_wake(hub, job.id);
    is_int(n_woken, 0, "a refused wait wakes nobody");
    store_put(store, &job, &terms, &receipt, &err);
    ok(hub_await(hub, store, job.id, 60000, &waiter),
       "waiting for a job that has not ended is accepted");
    hub_wake(hub, job.id);
    is_int(n_woken, 1, "the end of the job wakes the wait");
    hub_close(hub);
    ok(!hub_await(hub, store, job.id, 60000, &waiter), "a closed hub refuses to wait");
    hub_free(hub);
    memory_store_close(store);
    is_int(n_woken, 1, "a wait that a closed hub refused wakes nobody");
}

static bool has_left(void *arg)
{
    (void) arg;
    return true;
}

static bool is_there(void *arg)
{
    (void) arg;
    return false;
}

static void check_left(void)
{
    struct err err;
    struct hub *hub = hub_new(&(struct hub_limits){ 3, 2, 60000 }, &err);
    int one = 1, ten = 10;

    n_woken = 0;
    hub_wait(hub, "job-a", 300000, &(struct hub_waiter){ woken, is_there, &ten });
    hub_wait(hub, "job-a", 300000, &(struct hub_waiter){ woken, has_left, &one });
    ok(reaches(1), "a wait that nobody waits for any more ends early, and no other");
    hub_wait(hub, "job-b", 300000, &(struct hub_waiter){ woken, has_left, &one });
    ok(reaches(2), "so does one that is added later");
    hub_free(hub);
    is_int(n_woken, 12, "the other one ends with the hub");
}

int main(void)
{
    struct err err;
    struct hub *hub;
    const struct hub_limits limits = { 3, 2, 60000 };
    int one = 1;
    const struct hub_waiter waiter = { woken, NULL, &one };
    uint64_t ticket;

    thread_cond_init(&changed);
    hub = hub_new(&limits, &err);
    hub_wait(hub, "job-a", 60000, &waiter);
    hub_wait(hub, "job-a", 60000, &waiter);
    hub_wait(hub, "job-b", 60000, &waiter);
    hub_wake(hub, "job-a");
    is_int(n_woken, 2, "the end of a job wakes all that wait for it, and no others");
    hub_wake(hub, "job-a");
    is_int(n_woken, 2, "each wait is woken once");
    ticket = hub_wait(hub, "job-c", 60000, &waiter);
    ok(hub_cancel(hub, "job-c", ticket), "a wait can be cancelled");
    hub_wake(hub, "job-c");
    is_int(n_woken, 2, "a cancelled wait is not woken");
    ok(!hub_cancel(hub, "job-c", ticket), "a cancelled wait cannot be cancelled again");
    hub_wait(hub, "job-d", 1, &waiter);
    ok(reaches(3), "a wait ends at its time limit");
    hub_close(hub);
    is_int(n_woken, 4, "closing the hub wakes all waits");
    ok(hub_wait(hub, "job-e", 1, &waiter) == 0, "a closed hub accepts no further waits");
    hub_free(hub);
    is_int(n_woken, 4, "no wait is woken twice");
    check_listeners();
    check_beat();
    check_await();
    check_left();
    return done_testing();
}
