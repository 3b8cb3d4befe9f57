/*
 * dispatcher: claims jobs from the store, has workers run them, and publishes the results. Each of
 * its threads handles one job from claim to end (server/dispatch/execution.h).
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "server/dispatch/execution.h"
#include "server/dispatch/fetcher.h"

struct dispatcher;

struct dispatcher_config {
    struct execution_config execution;
    struct execution_terms terms;
    int workers; /* number of jobs that run at the same time */
    bool serves; /* the server also answers the API */
    /* how files are fetched that jobs name by addresses; its texts are the caller's */
    struct webhook_terms fetching;
    const char *programs; /* folder of the programs; "": the folder of this program */
};

struct dispatcher *dispatcher_new(const struct dispatcher_config *config, struct err *err);
/* Says that a job was accepted: it is durable, and its 202 can be sent. */
void dispatcher_accepted(struct dispatcher *dispatcher, const char *job_id);
/* Says that there may be a new job. */
void dispatcher_wake(struct dispatcher *dispatcher);
/* The number of jobs that may run at the same time, and that do. */
void dispatcher_load(struct dispatcher *dispatcher, int *workers, int *busy);
/* How many jobs lack room on the disk: while there are some, one job runs at a time. */
size_t dispatcher_lacking(struct dispatcher *dispatcher);
/* ERR_STORAGE_FULL while a job lacks room: nothing else is to be accepted that needs some. */
int dispatcher_check_room(struct dispatcher *dispatcher, struct err *err);
/* Changes the settings for jobs that are claimed from now on: leases, retention, attempts,
 * limits, and how files are fetched. On ERR_INTERNAL (no memory) nothing changes. */
int dispatcher_change(struct dispatcher *dispatcher, const struct execution_terms *terms,
                      const struct webhook_terms *fetching, struct err *err);
/* Stops the process of a job that was deleted, if it runs here. */
void dispatcher_cancel(struct dispatcher *dispatcher, const char *job_id);
/* Renews the leases of running jobs whose executions do not renew them at the moment. */
void dispatcher_keep_leases(struct dispatcher *dispatcher);
/* The length of a job's lease in ms. */
int64_t dispatcher_lease_ms(struct dispatcher *dispatcher);
/* For a shared store: renews the lease of all running jobs, of which there are *n. */
int dispatcher_beat(struct dispatcher *dispatcher, struct store *store, struct store_pulse *pulse,
                    size_t *n, struct err *err);
/* Whether the store acknowledged a beat within half a lease: if not, no job is claimed. Always
 * true if the store is not shared. */
bool dispatcher_is_acknowledged(struct dispatcher *dispatcher);
/* Begins no new job, waits up to grace_ms for those that run, and puts the others back. */
void dispatcher_stop(struct dispatcher *dispatcher, int64_t grace_ms);
/* Frees the dispatcher, after dispatcher_stop and when no thread calls any more. */
void dispatcher_free(struct dispatcher *dispatcher);
