#include "dispatch/hub.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"

#define SHELVES 1024 /* a power of two */

/* Whoever takes a wait off its shelf frees it. */
struct wait {
    uint64_t ticket;
    char job_id[ID_TEXT];
    int64_t until; /* monotonic ms */
    void (*woken)(void *arg);
    void *arg;
    struct wait *next, **link; /* of its shelf */
};

struct hub {
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    struct wait *shelves[SHELVES];
    size_t n;
    uint64_t tickets;
    int64_t nearest; /* the earliest `until`, or earlier */
    bool closed, ending;
};

static struct wait **shelf_of(struct hub *hub, const char *job_id)
{
    size_t hash = 5381;

    for (const char *p = job_id; *p; p++)
        hash = hash * 33 + (unsigned char) *p;
    return &hub->shelves[hash & (SHELVES - 1)];
}

static void take_off(struct hub *hub, struct wait *wait)
{
    *wait->link = wait->next;
    if (wait->next)
        wait->next->link = wait->link;
    hub->n--;
}

/* Takes off all that `due` picks and puts them in a list of their own. */
static struct wait *collect(struct hub *hub, struct wait *shelf, const char *job_id, int64_t now,
                            struct wait *list)
{
    for (struct wait *wait = shelf, *next; wait; wait = next) {
        next = wait->next;
        if (job_id ? strcmp(wait->job_id, job_id) != 0 : wait->until > now)
            continue;
        take_off(hub, wait);
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

        list->woken(list->arg);
        free(list);
        list = next;
    }
}

static struct wait *collect_due(struct hub *hub, int64_t now)
{
    struct wait *list = NULL;

    for (size_t i = 0; i < SHELVES; i++)
        list = collect(hub, hub->shelves[i], NULL, now, list);
    hub->nearest = INT64_MAX;
    for (size_t i = 0; i < SHELVES && hub->n; i++)
        for (struct wait *wait = hub->shelves[i]; wait; wait = wait->next)
            if (wait->until < hub->nearest)
                hub->nearest = wait->until;
    return list;
}

static void *watch(void *arg)
{
    struct hub *hub = arg;

    pthread_mutex_lock(&hub->lock);
    while (!hub->ending) {
        int64_t now = clock_mono_ms();

        if (hub->nearest <= now) {
            struct wait *list = collect_due(hub, now);

            pthread_mutex_unlock(&hub->lock);
            wake_list(list);
            pthread_mutex_lock(&hub->lock);
        } else if (hub->nearest == INT64_MAX) {
            pthread_cond_wait(&hub->changed, &hub->lock);
        } else {
            thread_cond_wait_ms(&hub->changed, &hub->lock, hub->nearest - now);
        }
    }
    pthread_mutex_unlock(&hub->lock);
    return NULL;
}

struct hub *hub_new(struct err *err)
{
    struct hub *hub = calloc(1, sizeof *hub);

    if (!hub) {
        err_sys(err, "hub");
        return NULL;
    }
    hub->nearest = INT64_MAX;
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

uint64_t hub_wait(struct hub *hub, const char *job_id, int64_t wait_ms, void (*woken)(void *arg),
                  void *arg)
{
    struct wait *wait = calloc(1, sizeof *wait), **shelf;
    uint64_t ticket = 0;

    if (!wait)
        return 0;
    snprintf(wait->job_id, sizeof wait->job_id, "%s", job_id);
    wait->until = clock_mono_ms() + wait_ms;
    wait->woken = woken;
    wait->arg = arg;
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
        if (wait->until < hub->nearest) {
            hub->nearest = wait->until;
            pthread_cond_signal(&hub->changed);
        }
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
        take_off(hub, wait);
    pthread_mutex_unlock(&hub->lock);
    free(wait);
    return found;
}

void hub_wake(struct hub *hub, const char *job_id)
{
    struct wait *list;

    pthread_mutex_lock(&hub->lock);
    list = hub->n ? collect(hub, *shelf_of(hub, job_id), job_id, 0, NULL) : NULL;
    pthread_mutex_unlock(&hub->lock);
    wake_list(list);
}
