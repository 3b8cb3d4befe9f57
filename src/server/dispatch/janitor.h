/*
 * janitor: a thread that removes what has expired: leases, jobs past their retention, old
 * idempotency keys, and, once after the start, blobs that a crash left without a job.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/err.h"
#include "data/blob/blob.h"
#include "data/store/store.h"
#include "server/dispatch/dispatcher.h"
#include "server/dispatch/pulse.h"

struct janitor;

struct janitor_config {
    struct store *store;
    struct blob_store *blobs;
    struct dispatcher *dispatcher; /* woken when a job was put back; may be NULL */
    /* for a shared store: renews leases and puts back jobs itself, and says when to do the rest
     * for all servers; may be NULL */
    struct pulse *pulse;
    int64_t tombstone_ms; /* how long an expired job is remembered */
    /* set when a job or its inputs were deleted: the store's log is then emptied within a round;
     * may be NULL */
    atomic_bool *removed;
    atomic_int_fast64_t *pending; /* set to the number of waiting jobs; may be NULL */
};

struct janitor *janitor_new(const struct janitor_config *config, struct err *err);
/* Changes how long expired jobs are remembered. */
void janitor_change(struct janitor *janitor, int64_t tombstone_ms);
void janitor_stop(struct janitor *janitor);

/* Does one round now: for tests. */
void janitor_sweep(const struct janitor_config *config);
/* Removes every blob made before `before` (Unix ms) that no job needs. */
void janitor_collect_orphans(const struct janitor_config *config, int64_t before);
