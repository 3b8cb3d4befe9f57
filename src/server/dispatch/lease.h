/*
 * lease: the dispatcher's claim of one job, valid as long as the store hears that the job is
 * alive. Two threads renew it: the execution, with the progress of the job's process, and the
 * janitor, while a execution has no process: when a large result is assembled, or written to disk.
 * With a shared store the server has one lease for all its jobs, which its pulse renews
 * (server/dispatch/pulse.h); this struct then says whether the store has been reached lately enough
 * for the job to continue.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/store/store.h"

struct lease {
    pthread_mutex_t lock; /* guards the members below */
    struct store *store;  /* NULL: there is no job */
    char job_id[ID_TEXT];
    int32_t attempt;
    int64_t length_ms;
    int64_t until;       /* wall time in ms, as in the store */
    int64_t reported_at; /* monotonic ms: when progress was last reported to the store */
    int64_t renewed_at;  /* monotonic ms: when the store last acknowledged it */
    double progress;     /* last reported; for a shared store: to be reported */
    bool shared;         /* the server's lease holds the job (pulse.h) */
    bool lost;
};

/* Prepares a lease without a job. */
void lease_init(struct lease *lease);
void lease_destroy(struct lease *lease);

/* Begins the lease of a job that was just claimed for length_ms. */
void lease_begin(struct lease *lease, struct store *store, const struct job *job,
                 int64_t length_ms);
/* Reports to the store if the progress has changed, or the lease ends soon. False: another
 * server has the job, or it was deleted. */
bool lease_progress(struct lease *lease, double fraction);
/* Renews a lease that ends soon, if there is one. From any thread. */
void lease_keep(struct lease *lease);
bool lease_is_lost(struct lease *lease);
/* The job that the server's lease holds, for store_beat. False: there is none, or it is lost. */
bool lease_peek(struct lease *lease, struct store_held *held);
/* Notes the result of store_beat: the store acknowledged the job at `at` (monotonic ms), or the job
 * is lost. */
void lease_renewed(struct lease *lease, const struct store_held *held, int64_t at);
/* To be called when the job has ended or was put back. */
void lease_end(struct lease *lease);
