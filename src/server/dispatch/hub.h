/*
 * hub: notifies those who wait for the end of a job or listen to its progress: the long polls and
 * event streams of one server. They need no threads of their own (the hub has one), and news for a
 * listener are not queued: a slow listener only sees the newest.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"
#include "data/store/store.h"

struct hub;

struct hub_limits {
    int64_t listeners; /* limit of all listeners */
    int64_t per_owner; /* limit of those of one owner */
    int64_t beat_ms;   /* time between two beats of a listener; values below 10 mean 10 */
};

struct hub *hub_new(const struct hub_limits *limits, struct err *err);
/* Wakes all waits and ends the hub's thread. No wait may be added any more, and there are no
 * listeners. */
void hub_free(struct hub *hub);

/* Who waits for a job. */
struct hub_waiter {
    void (*woken)(void *arg);
    /* Whether the waiter has gone: asked once in HUB_LOOK_MS, under the hub's lock, as long as
     * woken was not called and the wait is not cancelled. NULL: it stays until the end. */
    bool (*left)(void *arg);
    void *arg;
};

#define HUB_LOOK_MS 1000

/*
 * Calls woken(arg) once, from some thread: when the job ends or is deleted, after wait_ms, when
 * `left` says true, or when the hub closes. Returns a ticket to cancel the wait; 0 without memory
 * or when the hub is closed: woken is then never called.
 */
uint64_t hub_wait(struct hub *hub, const char *job_id, int64_t wait_ms,
                  const struct hub_waiter *waiter);
/* Cancels a wait. True: woken was not and will not be called. False: it was or will be. */
bool hub_cancel(struct hub *hub, const char *job_id, uint64_t ticket);

/* Like hub_wait, but asks the store whether the job has ended already. True: woken will be called,
 * or was. False: it never will: the job has ended, was removed, or waiting is impossible. */
bool hub_await(struct hub *hub, struct store *store, const char *job_id, int64_t wait_ms,
               const struct hub_waiter *waiter);

/* News for a listener. */
struct hub_news {
    int32_t attempt; /* 0: none since it listens */
    double progress;
    bool over;   /* the job ended or was deleted: the store knows which */
    bool closed; /* there will be no more news */
    bool beat;   /* beat_ms have passed */
};

struct hub_listener;

/*
 * Calls changed(arg) whenever there is news, from some thread, under the hub's lock: it must not
 * call the hub. NULL with ERR_TOO_MANY_STREAMS (of this owner), ERR_OVERLOADED (in total) or
 * ERR_SHUTTING_DOWN.
 */
struct hub_listener *hub_listen(struct hub *hub, const char *job_id, int64_t owner,
                                void (*changed)(void *arg), void *arg, struct err *err);
/* The latest news; `over` and `beat` are reported once. */
struct hub_news hub_look(struct hub *hub, struct hub_listener *listener);
/* Ends listening: afterwards `changed` is not being called and will not be. NULL is allowed. */
void hub_leave(struct hub *hub, struct hub_listener *listener);

/* Reports the progress of an attempt at a job. */
void hub_report(struct hub *hub, const char *job_id, int32_t attempt, double progress);
/* Reports that a job has ended, or was deleted. */
void hub_wake(struct hub *hub, const char *job_id);
/* Asks a shared store for news from other servers about the jobs that are waited for. If there
 * are many, each call asks for some of them in execution. */
void hub_poll(struct hub *hub, struct store *store);
/* Wakes all waits, now and from now on at once, and notifies all listeners. */
void hub_close(struct hub *hub);
