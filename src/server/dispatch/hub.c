#include "server/dispatch/hub.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fnv.h"
#include "base/metric.h"
#include "base/system/thread.h"

#define SHELVES  1024 /* a power of two */
#define BEAT_MIN 10
#define POLLED   256 /* jobs that the store is asked about at a time */
#define TICKS    16  /* in the time of a beat: all are not woken at once */

/* Whoever takes a wait off its shelf frees it. */
struct wait {
    uint64_t ticket;
    char job_id[ID_TEXT];
    int64_t until; /* monotonic ms */
    struct hub_waiter waiter;
    struct wait *next, **link; /* of its shelf */
};

struct hub_listener {
    char job_id[ID_TEXT];
    int64_t owner;
    int64_t beat_at; /* monotonic ms */
    struct hub_news news;
    void (*changed)(void *arg);
    void *arg;
    struct hub_listener *next, **link; /* of its shelf */
};

struct hub {
    struct hub_limits limits;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    struct wait *shelves[SHELVES];
    struct hub_listener *listeners[SHELVES];
    size_t n;
    int64_t n_listeners;
    int64_t next_tick;
    int64_t next_look; /* when `left` is asked; INT64_MAX: no wait is here */
    uint64_t tickets;
    int64_t nearest; /* the earliest `until`, or earlier */
    size_t polled;   /* the shelf that hub_poll goes on with */
    bool closed, ending;
};

static size_t shelf_number(const char *job_id)
{
    return fnv_text(FNV_START, job_id) & (SHELVES - 1);
}

static struct wait **shelf_of(struct hub *hub, const char *job_id)
{
    return &hub->shelves[shelf_number(job_id)];
}

static void remove_wait(struct hub *hub, struct wait *wait)
{
    *wait->link = wait->next;
    if (wait->next)
        wait->next->link = wait->link;
    hub->n--;
}

static bool is_over(const struct wait *wait, int64_t now, bool look)
{
    return wait->until <= now || (look && wait->waiter.left && wait->waiter.left(wait->waiter.arg));
}

/* Takes off the waits for a job, or all that are over, and puts them in a list of their own. */
static struct wait *collect_waits(struct hub *hub, struct wait *shelf, const char *job_id,
                                  int64_t now, bool look, struct wait *list)
{
    for (struct wait *wait = shelf, *next; wait; wait = next) {
        next = wait->next;
        if (job_id ? strcmp(wait->job_id, job_id) != 0 : !is_over(wait, now, look))
            continue;
        remove_wait(hub, wait);
        wait->next = list;
        list = wait;
    }
    return list;
}

/* Outside the lock: woken() may use the hub. */
static void wake_list(struct wait *list)
{
    while (list) {
        struct wait *next = list->next;

        list->waiter.woken(list->waiter.arg);
        free(list);
        list = next;
    }
}

static struct wait *collect_due(struct hub *hub, int64_t now)
{
    const bool look = hub->next_look <= now;
    struct wait *list = NULL;

    for (size_t i = 0; i < SHELVES; i++)
        list = collect_waits(hub, hub->shelves[i], NULL, now, look, list);
    if (look)
        hub->next_look = hub->n ? now + HUB_LOOK_MS : INT64_MAX;
    hub->nearest = INT64_MAX;
    for (size_t i = 0; i < SHELVES && hub->n; i++)
        for (struct wait *wait = hub->shelves[i]; wait; wait = wait->next)
            if (wait->until < hub->nearest)
                hub->nearest = wait->until;
    return list;
}

/* Wakes those who have not heard of us for long, under the lock. */
static void beat(struct hub *hub, int64_t now)
{
    for (size_t i = 0; i < SHELVES; i++)
        for (struct hub_listener *l = hub->listeners[i]; l; l = l->next)
            if (l->beat_at <= now) {
                l->beat_at = now + hub->limits.beat_ms;
                l->news.beat = true;
                l->changed(l->arg);
            }
    hub->next_tick = hub->n_listeners ? now + hub->limits.beat_ms / TICKS + 1 : INT64_MAX;
}

/* When there is something to do without being asked. */
static int64_t next_time(const struct hub *hub)
{
    int64_t first = hub->nearest < hub->next_tick ? hub->nearest : hub->next_tick;

    return first < hub->next_look ? first : hub->next_look;
}

static void *watch(void *arg)
{
    struct hub *hub = arg;

    pthread_mutex_lock(&hub->lock);
    while (!hub->ending) {
        int64_t now = clock_mono_ms();

        if (hub->next_tick <= now)
            beat(hub, now);
        if (hub->nearest <= now || hub->next_look <= now) {
            struct wait *list = collect_due(hub, now);

            pthread_mutex_unlock(&hub->lock);
            wake_list(list);
            pthread_mutex_lock(&hub->lock);
        } else if (next_time(hub) == INT64_MAX) {
            pthread_cond_wait(&hub->changed, &hub->lock);
        } else {
            thread_cond_wait_ms(&hub->changed, &hub->lock, next_time(hub) - now);
        }
    }
    pthread_mutex_unlock(&hub->lock);
    return NULL;
}

struct hub *hub_new(const struct hub_limits *limits, struct err *err)
{
    struct hub *hub = calloc(1, sizeof *hub);

    if (!hub) {
        err_sys(err, "hub");
        return NULL;
    }
    hub->limits = *limits;
    if (hub->limits.beat_ms < BEAT_MIN)
        hub->limits.beat_ms = BEAT_MIN;
    hub->nearest = hub->next_tick = hub->next_look = INT64_MAX;
    pthread_mutex_init(&hub->lock, NULL);
    thread_cond_init(&hub->changed);
    if (thread_start(&hub->thread, "hub", watch, hub, err) < 0) {
        free(hub);
        return NULL;
    }
    return hub;
}

void hub_close(struct hub *hub)
{
    struct wait *list;

    pthread_mutex_lock(&hub->lock);
    hub->closed = true;
    list = collect_due(hub, INT64_MAX);
    for (size_t i = 0; i < SHELVES; i++)
        for (struct hub_listener *l = hub->listeners[i]; l; l = l->next) {
            l->news.closed = true;
            l->changed(l->arg);
        }
    pthread_mutex_unlock(&hub->lock);
    wake_list(list);
}

void hub_free(struct hub *hub)
{
    if (!hub)
        return;
    hub_close(hub);
    pthread_mutex_lock(&hub->lock);
    hub->ending = true;
    pthread_cond_signal(&hub->changed);
    pthread_mutex_unlock(&hub->lock);
    pthread_join(hub->thread, NULL);
    pthread_mutex_destroy(&hub->lock);
    pthread_cond_destroy(&hub->changed);
    free(hub);
}

uint64_t hub_wait(struct hub *hub, const char *job_id, int64_t wait_ms,
                  const struct hub_waiter *waiter)
{
    int64_t now = clock_mono_ms();
    struct wait *wait = calloc(1, sizeof *wait), **shelf;
    uint64_t ticket = 0;

    if (!wait)
        return 0;
    snprintf(wait->job_id, sizeof wait->job_id, "%s", job_id);
    wait->until = now + wait_ms;
    wait->waiter = *waiter;
    pthread_mutex_lock(&hub->lock);
    if (!hub->closed) {
        ticket = wait->ticket = ++hub->tickets;
        shelf = shelf_of(hub, job_id);
        wait->next = *shelf;
        wait->link = shelf;
        if (wait->next)
            wait->next->link = &wait->next;
        *shelf = wait;
        hub->n++;
        if (wait->until < hub->nearest || hub->next_look == INT64_MAX)
            pthread_cond_signal(&hub->changed);
        if (wait->until < hub->nearest)
            hub->nearest = wait->until;
        if (hub->next_look == INT64_MAX)
            hub->next_look = now + HUB_LOOK_MS;
    }
    pthread_mutex_unlock(&hub->lock);
    if (!ticket)
        free(wait);
    return ticket;
}

bool hub_cancel(struct hub *hub, const char *job_id, uint64_t ticket)
{
    struct wait *wait;
    bool found;

    pthread_mutex_lock(&hub->lock);
    wait = *shelf_of(hub, job_id);
    while (wait && wait->ticket != ticket)
        wait = wait->next;
    found = wait != NULL;
    if (found)
        remove_wait(hub, wait);
    pthread_mutex_unlock(&hub->lock);
    free(wait);
    return found;
}

bool hub_await(struct hub *hub, struct store *store, const char *job_id, int64_t wait_ms,
               const struct hub_waiter *waiter)
{
    AUTO_JOB struct job job = { 0 };
    struct err err;
    char id[ID_TEXT]; /* woken may free the caller's */
    uint64_t ticket;

    snprintf(id, sizeof id, "%s", job_id);
    ticket = hub_wait(hub, id, wait_ms, waiter);
    if (!ticket)
        return false;
    /* It may have ended before the wait was added: then nothing would wake it. */
    if (store_find(store, id, &job, &err) == 1 && !job_is_over(&job) && job.state != JOB_EXPIRED)
        return true;
    return !hub_cancel(hub, id, ticket);
}

/* Under the lock. */
static int may_listen(const struct hub *hub, int64_t owner, struct err *err)
{
    int64_t own = 0;

    if (hub->closed)
        return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
    if (hub->n_listeners >= hub->limits.listeners)
        return err_set(err, ERR_OVERLOADED,
                       "too many event streams are open; poll the job, or try again later");
    for (size_t i = 0; i < SHELVES; i++)
        for (const struct hub_listener *l = hub->listeners[i]; l; l = l->next)
            own += l->owner == owner;
    if (own >= hub->limits.per_owner)
        return err_set(
            err, ERR_TOO_MANY_STREAMS,
            "at most %lld event streams of a key may be open; close one, or poll the job",
            (long long) hub->limits.per_owner);
    return 0;
}

/* Under the lock. */
static void put_on(struct hub *hub, struct hub_listener *listener)
{
    struct hub_listener **shelf = &hub->listeners[shelf_number(listener->job_id)];

    listener->next = *shelf;
    listener->link = shelf;
    if (listener->next)
        listener->next->link = &listener->next;
    *shelf = listener;
    metric_set(METRIC_EVENT_STREAMS, (double) hub->n_listeners + 1);
    if (hub->n_listeners++ == 0) {
        hub->next_tick = listener->beat_at;
        pthread_cond_signal(&hub->changed);
    }
}

struct hub_listener *hub_listen(struct hub *hub, const char *job_id, int64_t owner,
                                void (*changed)(void *arg), void *arg, struct err *err)
{
    struct hub_listener *listener = calloc(1, sizeof *listener);
    int allowed;

    if (!listener) {
        err_sys(err, "listener");
        return NULL;
    }
    snprintf(listener->job_id, sizeof listener->job_id, "%s", job_id);
    listener->owner = owner;
    listener->beat_at = clock_mono_ms() + hub->limits.beat_ms;
    listener->changed = changed;
    listener->arg = arg;
    pthread_mutex_lock(&hub->lock);
    allowed = may_listen(hub, owner, err);
    if (allowed == 0)
        put_on(hub, listener);
    pthread_mutex_unlock(&hub->lock);
    if (allowed == 0)
        return listener;
    free(listener);
    return NULL;
}

struct hub_news hub_look(struct hub *hub, struct hub_listener *listener)
{
    struct hub_news news;

    pthread_mutex_lock(&hub->lock);
    news = listener->news;
    listener->news.over = listener->news.beat = false;
    pthread_mutex_unlock(&hub->lock);
    return news;
}

void hub_leave(struct hub *hub, struct hub_listener *listener)
{
    if (!listener)
        return;
    pthread_mutex_lock(&hub->lock);
    *listener->link = listener->next;
    if (listener->next)
        listener->next->link = listener->link;
    metric_set(METRIC_EVENT_STREAMS, (double) --hub->n_listeners);
    pthread_mutex_unlock(&hub->lock);
    free(listener);
}

void hub_report(struct hub *hub, const char *job_id, int32_t attempt, double progress)
{
    pthread_mutex_lock(&hub->lock);
    for (struct hub_listener *l = hub->listeners[shelf_number(job_id)]; l; l = l->next) {
        if (strcmp(l->job_id, job_id) != 0)
            continue;
        l->news.attempt = attempt;
        l->news.progress = progress;
        l->changed(l->arg);
    }
    pthread_mutex_unlock(&hub->lock);
}

void hub_wake(struct hub *hub, const char *job_id)
{
    struct wait *list;

    pthread_mutex_lock(&hub->lock);
    list = hub->n ? collect_waits(hub, *shelf_of(hub, job_id), job_id, 0, false, NULL) : NULL;
    for (struct hub_listener *l = hub->listeners[shelf_number(job_id)]; l; l = l->next)
        if (strcmp(l->job_id, job_id) == 0) {
            l->news.over = true;
            l->changed(l->arg);
        }
    pthread_mutex_unlock(&hub->lock);
    wake_list(list);
}

/* The jobs of one shelf, once each, under the lock. How many there are in the list then. */
static size_t ids_of_shelf(const struct hub *hub, size_t shelf, char ids[][ID_TEXT], size_t n)
{
    const size_t first = n;

    for (const struct wait *w = hub->shelves[shelf]; w && n < POLLED; w = w->next)
        if (n == first || strcmp(ids[n - 1], w->job_id) != 0)
            memcpy(ids[n++], w->job_id, ID_TEXT);
    for (const struct hub_listener *l = hub->listeners[shelf]; l && n < POLLED; l = l->next)
        if (n == first || strcmp(ids[n - 1], l->job_id) != 0)
            memcpy(ids[n++], l->job_id, ID_TEXT);
    return n;
}

/* Progress of a job that runs here is reported directly: the store may lag. */
static void notify_if_newer(struct hub *hub, const char *job_id, const struct store_news *news)
{
    bool newer = false;

    pthread_mutex_lock(&hub->lock);
    for (const struct hub_listener *l = hub->listeners[shelf_number(job_id)]; l; l = l->next)
        newer = newer || (strcmp(l->job_id, job_id) == 0 &&
                          (l->news.attempt < news->attempt || (l->news.attempt == news->attempt &&
                                                               l->news.progress < news->progress)));
    pthread_mutex_unlock(&hub->lock);
    if (newer)
        hub_report(hub, job_id, news->attempt, news->progress);
}

void hub_poll(struct hub *hub, struct store *store)
{
    char ids[POLLED][ID_TEXT];
    struct store_news news[POLLED];
    struct err err;
    size_t n = 0;

    pthread_mutex_lock(&hub->lock);
    if (hub->n || hub->n_listeners)
        for (size_t i = 0; i < SHELVES && n < POLLED; i++) {
            n = ids_of_shelf(hub, hub->polled, ids, n);
            if (n < POLLED)
                hub->polled = (hub->polled + 1) & (SHELVES - 1);
        }
    pthread_mutex_unlock(&hub->lock);
    if (n == 0 || store_watch(store, (const char(*)[ID_TEXT]) ids, n, news, &err) < 0)
        return;
    for (size_t i = 0; i < n; i++) {
        if (news[i].over)
            hub_wake(hub, ids[i]);
        else if (news[i].attempt)
            notify_if_newer(hub, ids[i], &news[i]);
    }
}
