#include "server/dispatch/dispatcher.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "server/dispatch/places.h"
#include "server/dispatch/remote.h"

#define SLOTS 3 /* threads for each job that may run */
#define IDLE_MS                                                                                    \
    1000 /* how often an idle thread looks for jobs without a wake-up; of a shared                 \
            store the pulse looks for all of them */

#define FETCH_MS 500 /* before a job is tried again for which the fetcher has no room */

#define LOOK_MS 500 /* how often a thread without a place looks whether a further one is open */

/* One thread. There are several for each worker's place: while one writes its result to the disk,
 * another's job runs. A job is claimed only by who has a place for it. */
struct slot {
    struct dispatcher *dispatcher;
    pthread_t thread;
    int cancel;                   /* eventfd */
    char job_id[ID_TEXT];         /* the job it is at, or "" */
    struct execution_terms terms; /* of its job */
    struct lease lease;           /* of its job */
    int place;                    /* that it holds, or -1 */
    bool working;                 /* its job has begun, and still needs its place */
};

struct dispatcher {
    struct dispatcher_config config; /* its terms under lock */
    struct slot *slots;
    size_t n_slots;
    struct fetcher *fetcher;
    atomic_bool stopping, aborting;
    atomic_bool claim_full; /* the log says that no job can be claimed because the disk is full */
    pthread_mutex_t lock;   /* guards what follows, and the slots' job_id */
    pthread_cond_t wake;    /* a job may have come */
    pthread_cond_t freed;   /* a place was freed */
    pthread_cond_t idle;    /* a slot has no job any more */
    struct places *places;
    int working;       /* number of jobs in them */
    size_t busy;       /* slots with a job */
    bool knocked;      /* somebody woke us since the last look */
    int cores;         /* of the machine */
    bool shared;       /* other servers work on the same jobs */
    int64_t beaten_at; /* monotonic ms: the last beat that the store acknowledged was sent */
};

/* The caller has the lock. While a job lacks room on the disk, the next one begins when nothing of
 * the one before is on the disk but its result. */
static int claim_open(struct dispatcher *d)
{
    return places_lacking(d->places) && d->busy ? -1 : places_claim(d->places, clock_mono_ms());
}

/* False when the dispatcher stops. */
static bool claim_place(struct slot *slot)
{
    struct dispatcher *d = slot->dispatcher;

    slot->place = -1;
    pthread_mutex_lock(&d->lock);
    while (!atomic_load(&d->stopping) && (slot->place = claim_open(d)) < 0)
        thread_cond_wait_ms(&d->freed, &d->lock, LOOK_MS);
    pthread_mutex_unlock(&d->lock);
    return slot->place >= 0;
}

static void free_place(struct slot *slot)
{
    struct dispatcher *d = slot->dispatcher;

    pthread_mutex_lock(&d->lock);
    places_leave(d->places, slot->place, clock_mono_ms());
    slot->place = -1;
    pthread_cond_signal(&d->freed);
    pthread_mutex_unlock(&d->lock);
}

/* A full disk is logged once: every thread looks once a second. */
static void log_claim_failed(struct dispatcher *d, const struct err *why)
{
    if (why->code != ERR_STORAGE_FULL || !atomic_exchange(&d->claim_full, true))
        log_error("job.claim_failed", KV("why", why->msg));
}

/* Takes the next job. False: there was none, or it could not be had. */
static bool claim_job(struct slot *slot, struct job *job)
{
    struct dispatcher *d = slot->dispatcher;
    const struct store_choice *choice;
    struct err err;
    uint64_t old;
    int got;

    if (!dispatcher_is_acknowledged(d))
        return false;
    pthread_mutex_lock(&d->lock);
    slot->terms = d->config.terms;
    choice = places_choice(d->places, slot->place);
    pthread_mutex_unlock(&d->lock);
    got = store_claim(d->config.execution.store, clock_wall_ms(), slot->terms.lease_ms, choice, job,
                      &err);

    if (got < 0)
        log_claim_failed(d, &err);
    else
        atomic_store(&d->claim_full, false);
    if (got <= 0)
        return false;
    pthread_mutex_lock(&d->lock);
    /* A cancel that came for the job before must not hit this one. */
    if (read(slot->cancel, &old, sizeof old) < 0)
        old = 0;
    snprintf(slot->job_id, sizeof slot->job_id, "%s", job->id);
    places_begin(d->places, slot->place, job->key_id, clock_mono_ms());
    d->busy++;
    pthread_mutex_unlock(&d->lock);
    return true;
}

static void leave_job(struct slot *slot)
{
    struct dispatcher *d = slot->dispatcher;

    pthread_mutex_lock(&d->lock);
    slot->job_id[0] = '\0';
    d->busy--;
    pthread_cond_signal(&d->idle);
    if (places_lacking(d->places))
        pthread_cond_signal(&d->freed);
    pthread_mutex_unlock(&d->lock);
}

/* Called by an execution: see execution.h. */
static void note_room(void *arg, const char *job_id, bool lacks)
{
    struct dispatcher *d = arg;
    bool changed;

    pthread_mutex_lock(&d->lock);
    changed = lacks ? places_lack(d->places, job_id) : places_forget(d->places, job_id);
    if (changed && !lacks)
        pthread_cond_broadcast(&d->freed);
    pthread_mutex_unlock(&d->lock);
    if (changed && lacks)
        log_error("jobs.lack_room", KV("job", job_id),
                  KV("why", "the disk is full: jobs run one at a time, submissions are refused"));
    else if (changed)
        log_info("jobs.have_room", KV("job", job_id),
                 KV("why", "no job lacks room on the disk any more"));
}

/* Jobs that lacked room, and were deleted or claimed by way of another server, lack none here. */
static void forget_gone(struct dispatcher *d)
{
    char ids[PLACES_LACKING][ID_TEXT];
    size_t n;

    pthread_mutex_lock(&d->lock);
    n = places_lacking(d->places);
    for (size_t i = 0; i < n; i++)
        snprintf(ids[i], ID_TEXT, "%s", places_lacking_at(d->places, i));
    pthread_mutex_unlock(&d->lock);
    for (size_t i = 0; i < n; i++) {
        AUTO_JOB struct job job = { 0 };
        struct err err;
        int found = store_find(d->config.execution.store, ids[i], &job, &err);

        if (found == 0 || (found > 0 && job.state != JOB_PENDING && job.state != JOB_RUNNING))
            note_room(d, ids[i], false);
    }
}

static void wait_for_jobs(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    if (!d->knocked && !atomic_load(&d->stopping) && d->shared && !places_lacking(d->places))
        pthread_cond_wait(&d->wake, &d->lock);
    else if (!d->knocked && !atomic_load(&d->stopping))
        thread_cond_wait_ms(&d->wake, &d->lock, IDLE_MS);
    d->knocked = false;
    pthread_mutex_unlock(&d->lock);
}

/* How many cores the job of this slot gets. One that is alone gets all; in a busy queue each gets
 * one, which is more work done in the same time. Those that come later share with it. */
static int begin_work(struct slot *slot)
{
    struct dispatcher *d = slot->dispatcher;
    int cores;

    slot->working = true;
    pthread_mutex_lock(&d->lock);
    cores = ++d->working == 1 ? d->cores : 1;
    pthread_mutex_unlock(&d->lock);
    return cores;
}

static void leave_place(void *arg)
{
    struct slot *slot = arg;
    struct dispatcher *d = slot->dispatcher;

    if (!slot->working)
        return;
    slot->working = false;
    pthread_mutex_lock(&d->lock);
    d->working--;
    pthread_mutex_unlock(&d->lock);
    free_place(slot);
}

/* Hands a job over whose files must be fetched before it can run. */
static void fetch_first(struct slot *slot, const struct execution *execution, const struct job *job)
{
    if (!fetcher_accept(slot->dispatcher->fetcher, job))
        execution_put_back(execution, job, FETCH_MS, true);
}

static void *serve_jobs(void *arg)
{
    struct slot *slot = arg;
    struct dispatcher *d = slot->dispatcher;
    struct execution execution = { .config = &d->config.execution,
                                   .terms = &slot->terms,
                                   .lease = &slot->lease,
                                   .aborting = &d->aborting,
                                   .cancel = slot->cancel,
                                   .left = leave_place,
                                   .arg = slot };

    while (claim_place(slot)) {
        AUTO_JOB struct job job = { 0 };

        if (!claim_job(slot, &job)) {
            bool further = places_is_further(d->places, slot->place);

            free_place(slot);
            forget_gone(d);
            if (!further)
                wait_for_jobs(d);
            continue;
        }
        if (d->shared)
            dispatcher_wake(d); /* where one job was, there may be more: the next thread looks */
        execution.cores = begin_work(slot);
        if (remote_is_waiting(&job))
            fetch_first(slot, &execution, &job);
        else
            execution_run(&execution, &job);
        leave_place(slot);
        leave_job(slot);
    }
    return NULL;
}

static void free_parts(struct dispatcher *d)
{
    fetcher_free(d->fetcher);
    free(d->slots);
    places_free(d->places);
    refunds_free(d->config.execution.refunds);
    arrivals_free(d->config.execution.arrivals);
    free(d);
}

static void wake(void *arg)
{
    dispatcher_wake(arg);
}

static struct fetcher *new_fetcher(struct dispatcher *d, struct err *err)
{
    const struct fetcher_config config = { .execution = d->config.execution,
                                           .terms = d->config.terms,
                                           .requests = d->config.fetching,
                                           .programs = d->config.programs };

    return fetcher_new(&config, err);
}

/* A dispatcher without threads. */
static struct dispatcher *new_idle(const struct dispatcher_config *config, struct err *err)
{
    struct dispatcher *d = calloc(1, sizeof *d);

    if (!d) {
        err_sys(err, "dispatcher");
        return NULL;
    }
    d->config = *config;
    d->slots = calloc((size_t) config->workers * SLOTS + 1, sizeof *d->slots);
    if (!d->slots)
        err_sys(err, "dispatcher");
    d->places = d->slots ? places_new(config->workers, err) : NULL;
    d->config.execution.refunds = d->places ? refunds_new(err) : NULL;
    d->config.execution.arrivals = d->config.execution.refunds ? arrivals_new(err) : NULL;
    d->config.execution.woken = wake;
    d->config.execution.woken_arg = d;
    d->config.execution.lacks = note_room;
    d->config.execution.lacks_arg = d;
    d->fetcher = d->config.execution.arrivals ? new_fetcher(d, err) : NULL;
    if (d->fetcher) {
        d->config.execution.pages = fetcher_pages(d->fetcher);
        return d;
    }
    free_parts(d);
    return NULL;
}

struct dispatcher *dispatcher_new(const struct dispatcher_config *config, struct err *err)
{
    struct dispatcher *d = new_idle(config, err);
    size_t n = (size_t) config->workers * SLOTS;

    if (!d)
        return NULL;
    d->cores = thread_cores();
    d->shared = store_is_shared(config->execution.store);
    pthread_mutex_init(&d->lock, NULL);
    thread_cond_init(&d->wake);
    thread_cond_init(&d->freed);
    thread_cond_init(&d->idle);
    for (; d->n_slots < n; d->n_slots++) {
        struct slot *slot = &d->slots[d->n_slots];

        slot->dispatcher = d;
        lease_init(&slot->lease);
        slot->cancel = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (slot->cancel < 0 || thread_start(&slot->thread, "job", serve_jobs, slot, err) < 0) {
            if (slot->cancel < 0)
                err_sys(err, "eventfd");
            dispatcher_stop(d, 0);
            dispatcher_free(d);
            return NULL;
        }
    }
    return d;
}

void dispatcher_accepted(struct dispatcher *d, const char *job_id)
{
    bool full;

    arrivals_note(d->config.execution.arrivals, job_id);
    dispatcher_wake(d);
    pthread_mutex_lock(&d->lock);
    full = places_are_full(d->places);
    pthread_mutex_unlock(&d->lock);
    if (full) /* others may have room */
        store_ring(d->config.execution.store, STORE_RING_JOBS);
}

int64_t dispatcher_lease_ms(struct dispatcher *d)
{
    int64_t ms;

    pthread_mutex_lock(&d->lock);
    ms = d->config.terms.lease_ms;
    pthread_mutex_unlock(&d->lock);
    return ms;
}

bool dispatcher_is_acknowledged(struct dispatcher *d)
{
    bool acknowledged;

    pthread_mutex_lock(&d->lock);
    acknowledged = !d->shared || clock_mono_ms() - d->beaten_at <= d->config.terms.lease_ms / 2;
    pthread_mutex_unlock(&d->lock);
    return acknowledged;
}

/* The leases of the slots, then those of the fetcher. */
static struct lease *lease_at(struct dispatcher *d, size_t i)
{
    return i < d->n_slots ? &d->slots[i].lease : fetcher_lease(d->fetcher, i - d->n_slots);
}

int dispatcher_beat(struct dispatcher *d, struct store *store, struct store_pulse *pulse, size_t *n,
                    struct err *err)
{
    const size_t most = d->n_slots + FETCHER_JOBS;
    AUTO_FREE struct store_held *held = calloc(most, sizeof *held);
    AUTO_FREE struct lease **leases = calloc(most, sizeof(struct lease *));
    const int64_t at = clock_mono_ms();
    unsigned roles =
        (d->config.workers > 0 ? STORE_WORKS : 0U) | (d->config.serves ? STORE_SERVES : 0U);

    *n = 0;
    if (!held || !leases)
        return err_sys(err, "renew the lease");
    for (size_t i = 0; i < most; i++) {
        struct lease *lease = lease_at(d, i);

        if (lease_peek(lease, &held[*n]))
            leases[(*n)++] = lease;
    }
    if (store_beat(store, dispatcher_lease_ms(d), roles, held, *n, pulse, err) < 0)
        return -1;
    for (size_t i = 0; i < *n; i++)
        lease_renewed(leases[i], &held[i], at);
    pthread_mutex_lock(&d->lock);
    d->beaten_at = at;
    pthread_mutex_unlock(&d->lock);
    return 0;
}

void dispatcher_wake(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    d->knocked = true;
    pthread_cond_signal(&d->wake);
    pthread_mutex_unlock(&d->lock);
}

size_t dispatcher_lacking(struct dispatcher *d)
{
    size_t n;

    pthread_mutex_lock(&d->lock);
    n = places_lacking(d->places);
    pthread_mutex_unlock(&d->lock);
    return n;
}

int dispatcher_check_room(struct dispatcher *d, struct err *err)
{
    if (dispatcher_lacking(d) == 0)
        return 0;
    return err_set(err, ERR_STORAGE_FULL, "jobs that were accepted wait for room on the disk");
}

void dispatcher_load(struct dispatcher *d, int *workers, int *busy)
{
    pthread_mutex_lock(&d->lock);
    *workers = d->config.workers;
    *busy = d->working;
    pthread_mutex_unlock(&d->lock);
}

int dispatcher_change(struct dispatcher *d, const struct execution_terms *terms,
                      const struct webhook_terms *fetching, struct err *err)
{
    if (fetcher_change(d->fetcher, terms, fetching, err) < 0)
        return -1;
    pthread_mutex_lock(&d->lock);
    d->config.terms = *terms;
    pthread_mutex_unlock(&d->lock);
    return 0;
}

void dispatcher_cancel(struct dispatcher *d, const char *job_id)
{
    uint64_t one = 1;

    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < d->n_slots; i++)
        if (strcmp(d->slots[i].job_id, job_id) == 0 &&
            write(d->slots[i].cancel, &one, sizeof one) < 0)
            log_warn("job.cancel_failed", KV("job", job_id));
    pthread_mutex_unlock(&d->lock);
    fetcher_cancel(d->fetcher, job_id);
    note_room(d, job_id, false);
}

void dispatcher_keep_leases(struct dispatcher *d)
{
    for (size_t i = 0; i < d->n_slots + FETCHER_JOBS; i++)
        lease_keep(lease_at(d, i));
}

void dispatcher_stop(struct dispatcher *d, int64_t grace_ms)
{
    int64_t until = clock_mono_ms() + grace_ms, now;

    if (!d)
        return;
    atomic_store(&d->stopping, true);
    fetcher_stop(d->fetcher);
    pthread_mutex_lock(&d->lock);
    pthread_cond_broadcast(&d->wake);
    pthread_cond_broadcast(&d->freed);
    while (d->busy && (now = clock_mono_ms()) < until)
        thread_cond_wait_ms(&d->idle, &d->lock, until - now);
    atomic_store(&d->aborting, true);
    pthread_mutex_unlock(&d->lock);
    for (size_t i = 0; i < d->n_slots; i++)
        pthread_join(d->slots[i].thread, NULL);
}

void dispatcher_free(struct dispatcher *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n_slots; i++) {
        close(d->slots[i].cancel);
        lease_destroy(&d->slots[i].lease);
    }
    pthread_mutex_destroy(&d->lock);
    pthread_cond_destroy(&d->wake);
    pthread_cond_destroy(&d->freed);
    pthread_cond_destroy(&d->idle);
    free_parts(d);
}
