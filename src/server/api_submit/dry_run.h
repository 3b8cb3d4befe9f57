/*
 * dry_run: a submission with ?dryRun=true: everything is checked, a worker's process opens the
 * files with short limits, and nothing is stored, counted or made.
 *
 * Problems of office documents (fonts above all) show only when they are laid out: for them the
 * tool itself is run, and its result dropped.
 */
#pragma once

#include <jansson.h>

#include "server/api_call/call.h"
#include "server/api_submit/upload.h"

#define DRY_RUN_PLACES 32 /* limit of dry runs that wait or run */
#define DRY_RUN_OF_KEY 4  /* limit of one account's dry runs that wait or run */

struct dry_runs;

/* Makes the queue. `threads`: number of dry runs that run at the same time. */
struct dry_runs *dry_runs_new(size_t threads, struct err *err);
/* Stops the dry runs that run or wait; these and all later ones fail with ERR_SHUTTING_DOWN. */
void dry_runs_stop(struct dry_runs *runs);
/* A descriptor that becomes readable after dry_runs_stop: the `cancel` of struct worker_job. */
int dry_runs_cancel(const struct dry_runs *runs);
/* Waits for the dry runs that run, then frees the queue. */
void dry_runs_free(struct dry_runs *runs);

/* Whether a request is for a dry run: 1 or 0; -1 with ERR_INVALID_PARAMETER. */
int dry_run_asked(const struct http_request *req, struct err *err);
/* Reserves a place and queues run(arg). ERR_TOO_MANY_JOBS, ERR_OVERLOADED. */
int dry_runs_add(struct dry_runs *runs, int64_t account, void (*run)(void *arg), void *arg,
                 struct err *err);
/* Releases the place: run(arg) calls it last. */
void dry_runs_leave(struct dry_runs *runs, int64_t account);

/* Makes the report. Takes as long as the limits allow. NULL on failure; ERR_SHUTTING_DOWN after
 * dry_runs_stop. */
json_t *dry_run_report(const struct api *api, const struct call *call, const struct tool *tool,
                       struct upload *upload, struct err *err);
