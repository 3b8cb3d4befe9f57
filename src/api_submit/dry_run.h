/*
 * dry_run: a submission with ?dryRun=true: all of it is judged, its files are looked at by a
 * worker's process with short limits, and nothing is kept, counted or made.
 *
 * What office documents need (fonts above all) shows only when they are laid out: for them the tool
 * itself is run, and its result thrown away.
 */
#pragma once

#include <jansson.h>

#include "api_call/call.h"
#include "api_submit/upload.h"

#define DRY_RUN_PLACES 32 /* that wait or run at a time */
#define DRY_RUN_OF_KEY 4  /* of them, of one account */

struct dry_runs;

/* `threads`: that run at a time. */
struct dry_runs *dry_runs_new(size_t threads, struct err *err);
/* Stops those that run or wait, and those that come: they are answered shutting_down. */
void dry_runs_stop(struct dry_runs *runs);
/* Readable once they are to stop (struct worker_job). */
int dry_runs_cancel(const struct dry_runs *runs);
/* Waits for those that run. */
void dry_runs_free(struct dry_runs *runs);

/* Whether a request asks for one: 1 or 0; -1 with ERR_INVALID_PARAMETER. */
int dry_run_asked(const struct http_request *req, struct err *err);
/* Takes a place and queues run(arg). ERR_TOO_MANY_JOBS, ERR_OVERLOADED. */
int dry_runs_add(struct dry_runs *runs, int64_t account, void (*run)(void *arg), void *arg,
                 struct err *err);
/* Gives the place back: what run(arg) calls last. */
void dry_runs_leave(struct dry_runs *runs, int64_t account);

/* The report. Takes as long as the limits allow. NULL on failure; ERR_SHUTTING_DOWN after
 * dry_runs_stop. */
json_t *dry_run_report(const struct api *api, const struct call *call, const struct tool *tool,
                       struct upload *upload, struct err *err);
