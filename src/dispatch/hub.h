/*
 * hub: who waits for which job to end, and who listens to how far it is. The long polls and the
 * event streams of one server. Nobody costs a thread, and what is told to a listener is not queued:
 * who looks late sees only the newest.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"
#include "store/store.h"

struct hub;

struct hub_limits {
    int64_t listeners; /* in all */
    int64_t per_owner;
    int64_t beat_ms; /* less than 10 is taken as 10 */
};

struct hub *hub_new(const struct hub_limits *limits, struct err *err);
/* Wakes everybody and ends the thread. No wait may be added any more, and nobody listens. */
void hub_free(struct hub *hub);

/*
 * Calls woken(arg) once, from some thread: when the job ends or is deleted, after wait_ms, or when
 * the hub closes. A ticket to take the wait back with; 0 without memory or when the hub is closed:
 * woken is then never called.
 */
uint64_t hub_wait(struct hub *hub, const char *job_id, int64_t wait_ms, void (*woken)(void *arg),
                  void *arg);
/* Takes a wait back. True: woken was not and will not be called. False: it was or will be. */
bool hub_cancel(struct hub *hub, const char *job_id, uint64_t ticket);

/* hub_wait for a job that the store says has not ended. True: woken will be called, or was. False:
 * it never will; the job ended, is gone, or there is no waiting. */
bool hub_await(struct hub *hub, struct store *store, const char *job_id, int64_t wait_ms,
               void (*woken)(void *arg), void *arg);

/* What a listener has not seen yet, or has. */
struct hub_news {
    int32_t attempt; /* 0: nothing was told since it listens */
    double progress;
    bool over;   /* the job ended or was deleted: the store knows which */
    bool closed; /* nothing will be told any more */
    bool beat;   /* beat_ms went by */
};

struct hub_listener;

/*
 * Calls changed(arg) whenever there are news, from some thread, under the hub's lock: it must not
 * call the hub. NULL with ERR_TOO_MANY_STREAMS (of this owner), ERR_OVERLOADED (in all) or
 * ERR_SHUTTING_DOWN.
 */
struct hub_listener *hub_listen(struct hub *hub, const char *job_id, int64_t owner,
                                void (*changed)(void *arg), void *arg, struct err *err);
/* The newest; `over` and `beat` are told once. */
struct hub_news hub_look(struct hub *hub, struct hub_listener *listener);
/* Afterwards `changed` is not being called and will not be. NULL is nobody. */
void hub_leave(struct hub *hub, struct hub_listener *listener);

/* An attempt at this job runs and has come so far. */
void hub_tell(struct hub *hub, const char *job_id, int32_t attempt, double progress);
/* This job has ended, or was deleted. */
void hub_wake(struct hub *hub, const char *job_id);
/* Asks a shared store about the jobs that somebody waits for, and tells what other servers have
 * done. Some of them, if they are many: the next call goes on with the others. */
void hub_poll(struct hub *hub, struct store *store);
/* Wakes everybody who waits now, and from now on at once; tells all listeners. */
void hub_close(struct hub *hub);
