/*
 * turn: one attempt at a job, from claimed to ended: its process is run, its lease renewed, its
 * result published, and the store told how it went.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "blob/blob.h"
#include "dispatch/arrivals.h"
#include "dispatch/hub.h"
#include "dispatch/lease.h"
#include "dispatch/pace.h"
#include "store/store.h"
#include "webhook/sender.h"
#include "worker/catalog.h"

/* What a job is done by; a reload may change it for the jobs to come. */
struct turn_terms {
    int64_t lease_ms, retention_ms;
    int64_t max_attempts;
    struct worker_limits limits;
};

/* What every turn works with. */
struct turn_config {
    struct store *store;
    struct blob_store *blobs;
    struct catalog *catalog;
    struct hub *hub;
    struct pace *pace;                    /* told how long jobs run */
    struct arrivals *arrivals;            /* the dispatcher's: asked when a job was accepted */
    struct sender *sender;                /* told of jobs that end with a callback; may be NULL */
    const struct tool_services *services; /* for tools that ask */
    atomic_bool *erased; /* set when inputs were erased from the store (janitor.h); may be NULL */
};

struct turn {
    const struct turn_config *config;
    const struct turn_terms *terms;
    struct lease *lease;         /* of the job, while it is done */
    const atomic_bool *aborting; /* stop the process and put the job back */
    int cancel;                  /* an eventfd: the job was deleted */
    int cores;                   /* free for it */
    void (*left)(void *cls);     /* its process has ended; only the disk is waited for now */
    void *cls;
};

/* Does a job that was claimed. Afterwards it has ended, was put back, or was lost to another. */
void turn_do(const struct turn *turn, const struct job *job);

/* Begins the series of a tool's jobs that an operator watches at 0: those that completed, those
 * that ended with the server's own failure, those that were put back. */
void turn_count_from_zero(const char *tool);
