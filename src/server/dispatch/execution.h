/*
 * execution: one attempt at a job, from claim to end: runs its process, renews its lease, publishes
 * its result, and stores the outcome.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/blob/blob.h"
#include "data/store/store.h"
#include "sandbox/worker/catalog.h"
#include "server/dispatch/arrivals.h"
#include "server/dispatch/hub.h"
#include "server/dispatch/lease.h"
#include "server/dispatch/pace.h"
#include "server/dispatch/refunds.h"
#include "server/webhook/sender.h"

/* The settings of a job's run; a reload may change them for later jobs. */
struct execution_terms {
    int64_t lease_ms, retention_ms;
    int64_t max_attempts;
    bool reuse, reuse_scripts; /* as in struct worker_reuse, for jobs of an account */
    struct worker_limits limits;
};

/* What every execution uses. */
struct execution_config {
    struct store *store;
    struct blob_store *blobs;
    struct catalog *catalog;
    struct hub *hub;
    struct pace *pace;         /* records how long jobs run */
    struct refunds *refunds;   /* the dispatcher's: which jobs are not charged */
    struct arrivals *arrivals; /* the dispatcher's: knows when a job was accepted */
    /* notified of jobs that end with a callback; may be NULL */
    struct sender *sender;
    void (*ship)(void *arg); /* there is a result to be sent (shipping.h); may be NULL */
    void *ship_arg;
    const struct tool_services *services; /* for tools that declare `asks` */
    const struct page_service *pages;     /* the dispatcher's: for tools that declare `fetches` */
    atomic_bool *erased; /* set when inputs were erased from the store (janitor.h); may be NULL */
    void (*woken)(void *arg); /* the dispatcher's: a job may be claimed; may be NULL */
    void *woken_arg;
    /* the dispatcher's: a job lacks room on the disk, or has ended; may be NULL */
    void (*lacks)(void *arg, const char *job_id, bool lacks);
    void *lacks_arg;
};

struct execution {
    const struct execution_config *config;
    const struct execution_terms *terms;
    struct lease *lease;         /* of the job, while it runs */
    const atomic_bool *aborting; /* stop the process and put the job back */
    int cancel;                  /* an eventfd: the job was deleted */
    int cores;                   /* that the job may use */
    /* called when its process has ended; only the disk is waited for now */
    void (*left)(void *arg);
    void *arg;
};

/* Handles a job that was claimed. Afterwards it has ended, was put back, or was lost to another
 * server. */
void execution_run(const struct execution *execution, const struct job *job);

/* Ends a job that was claimed as failed, or puts it back: it may be claimed after `delay_ms`; the
 * attempt does not count if it is `spared`. */
void execution_fail(const struct execution *execution, const struct job *job,
                    const struct err *why);
void execution_put_back(const struct execution *execution, const struct job *job, int64_t delay_ms,
                        bool spared);

/* Whether a job that failed for `why` waits for what the server lacks, without an attempt that
 * counts. A lack of room on the disk is noted. */
bool execution_waits(const struct execution *execution, const struct job *job,
                     const struct err *why);

/* Starts the series of a tool's jobs that operators watch at 0: jobs that completed, jobs that
 * failed because of the server, jobs that were put back. */
void execution_count_from_zero(const char *tool);
