/*
 * lease: a job that is this dispatcher's for as long as the store hears of it. Two keep it: the
 * turn, with the progress of the job's process, and the janitor, while a turn has no process and
 * says nothing: when a large result is put together, or goes to the disk. Of a shared store the
 * server has one lease for all its jobs, which its pulse keeps (dispatch/pulse.h); then this says
 * whether the store has been heard of lately enough for the job to go on.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

struct lease {
    pthread_mutex_t lock; /* guards what follows */
    struct store *store;  /* NULL: there is no job */
    char job_id[ID_TEXT];
    int32_t attempt;
    int64_t length_ms;
    int64_t until;      /* wall ms: as the store knows it */
    int64_t told_at;    /* monotonic ms */
    int64_t renewed_at; /* monotonic ms: when the store last heard of it */
    double progress;    /* last told; of a shared store: to be told */
    bool shared;        /* the server's lease holds the job (pulse.h) */
    bool lost;
};

void lease_init(struct lease *lease);
void lease_destroy(struct lease *lease);

/* The job was just claimed for length_ms. */
void lease_begin(struct lease *lease, struct store *store, const struct job *job,
                 int64_t length_ms);
/* Tells the store if the job has moved, or the lease ends soon. False: the job is another's, or was
 * deleted. */
bool lease_progress(struct lease *lease, double fraction);
/* Renews a lease that ends soon, if there is one. For any thread. */
void lease_keep(struct lease *lease);
bool lease_is_lost(struct lease *lease);
/* The job that is held by the server's lease, for store_beat. False: there is none, or it is lost.
 */
bool lease_peek(struct lease *lease, struct store_held *held);
/* What came of it: the store had heard of the job at `at` (monotonic ms), or it is lost. */
void lease_renewed(struct lease *lease, const struct store_held *held, int64_t at);
/* The job has ended or was put back. */
void lease_end(struct lease *lease);
