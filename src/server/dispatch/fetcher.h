/*
 * fetcher: fetches the files of jobs that name addresses (remote.h), before the jobs are run. A job
 * that was claimed and has files to fetch leaves its place for other jobs and is handed to a thread
 * of the fetcher, which has them fetched by a platen-webhook of its own: neither this process nor
 * any that opens documents uses the network. Afterwards the job waits again, and runs as if its
 * files had been sent with it; or it fails with ERR_FETCH_FAILED.
 */
#pragma once

#include "server/dispatch/execution.h"
#include "server/webhook/request.h"

#define FETCHER_JOBS    32 /* jobs whose files are fetched at the same time */
#define FETCHER_ACCOUNT 16 /* of these, of one account */

struct fetcher;

struct fetcher_config {
    struct execution_config execution;
    struct execution_terms terms;
    struct webhook_terms requests; /* the caller owns its texts until fetcher_new returns */
    const char *programs;          /* folder of the programs; "": the folder of this program */
};

/* NULL on failure. Its threads start with the jobs. */
struct fetcher *fetcher_new(const struct fetcher_config *config, struct err *err);
/* Uses other settings for files that are fetched from now on. On ERR_INTERNAL (no memory) nothing
 * changes. */
int fetcher_change(struct fetcher *fetcher, const struct execution_terms *terms,
                   const struct webhook_terms *requests, struct err *err);
/* The service for jobs that show pages of the web: of the same programs, by the same settings. It
 * lives as long as the fetcher. */
const struct page_service *fetcher_pages(const struct fetcher *fetcher);
/* Takes over a job that was claimed, with its lease. False: there is no room for it now, and the
 * caller puts it back. */
bool fetcher_accept(struct fetcher *fetcher, const struct job *job);
/* The leases of the fetcher, of which there are FETCHER_JOBS. */
struct lease *fetcher_lease(struct fetcher *fetcher, size_t i);
/* Stops what is being fetched for a job that was deleted. */
void fetcher_cancel(struct fetcher *fetcher, const char *job_id);
/* Puts the jobs back and ends the threads. */
void fetcher_stop(struct fetcher *fetcher);
/* Frees the fetcher, after fetcher_stop. May be NULL. */
void fetcher_free(struct fetcher *fetcher);
