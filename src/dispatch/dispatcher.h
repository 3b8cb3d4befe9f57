/*
 * dispatcher: takes jobs from the store, has workers run them, publishes what came out. Each of
 * its threads does one job from claim to end, in the order one reads it.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "blob/blob.h"
#include "dispatch/hub.h"
#include "store/store.h"
#include "worker/catalog.h"

struct dispatcher;

struct dispatcher_config {
    struct store *store;
    struct blob_store *blobs;
    struct catalog *catalog;
    struct hub *hub;
    int workers; /* jobs that run at a time */
    int64_t lease_ms, retention_ms;
    int64_t max_attempts;
    struct worker_limits limits;
};

struct dispatcher *dispatcher_new(const struct dispatcher_config *config, struct err *err);
/* There may be a new job. */
void dispatcher_wake(struct dispatcher *dispatcher);
/* Stops the process of a job that was deleted, if it runs here. */
void dispatcher_cancel(struct dispatcher *dispatcher, const char *job_id);
/* Begins no new job, waits up to grace_ms for those that run, puts the others back, frees. */
void dispatcher_stop(struct dispatcher *dispatcher, int64_t grace_ms);
