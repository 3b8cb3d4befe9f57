/*
 * dispatcher: takes jobs from the store, has workers run them, publishes what came out. Each of
 * its threads does one job from claim to end (dispatch/turn.h).
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "dispatch/turn.h"

struct dispatcher;

struct dispatcher_config {
    struct turn_config turn;
    struct turn_terms terms;
    int workers; /* jobs that run at a time */
};

struct dispatcher *dispatcher_new(const struct dispatcher_config *config, struct err *err);
/* A job was accepted: it is in the store for good, and its 202 can be sent. */
void dispatcher_accepted(struct dispatcher *dispatcher, const char *job_id);
/* There may be a new job. */
void dispatcher_wake(struct dispatcher *dispatcher);
/* Jobs that may run at a time, and that do. */
void dispatcher_load(struct dispatcher *dispatcher, int *workers, int *busy);
/* Other terms for jobs that are claimed from now on: leases, retention, attempts, limits. */
void dispatcher_change(struct dispatcher *dispatcher, const struct turn_terms *terms);
/* Stops the process of a job that was deleted, if it runs here. */
void dispatcher_cancel(struct dispatcher *dispatcher, const char *job_id);
/* Renews the leases of jobs that are being done and whose turns say nothing. */
void dispatcher_keep_leases(struct dispatcher *dispatcher);
/* The lease of jobs, in ms. */
int64_t dispatcher_lease_ms(struct dispatcher *dispatcher);
/* Of a shared store: renews the lease of all jobs that are being done, of which there are *n. */
int dispatcher_beat(struct dispatcher *dispatcher, struct store *store, struct store_pulse *pulse,
                    size_t *n, struct err *err);
/* Whether the store acknowledged a beat within half a lease: if not, no job is claimed. Always, if
 * the store is not shared. */
bool dispatcher_is_acknowledged(struct dispatcher *dispatcher);
/* Begins no new job, waits up to grace_ms for those that run, puts the others back. */
void dispatcher_stop(struct dispatcher *dispatcher, int64_t grace_ms);
/* After dispatcher_stop, and when nobody calls any more. */
void dispatcher_free(struct dispatcher *dispatcher);
