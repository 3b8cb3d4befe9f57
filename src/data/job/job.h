/*
 * job: one operation on one client's files, from acceptance to deletion. A plain value with its
 * states and the allowed transitions:
 *     PENDING -> RUNNING -> COMPLETED -> EXPIRED
 *        ^          |  \-> FAILED ----/
 *        +----------+ (lease lost, retry, server stops)
 *
 * A job that is deleted is removed from the store: there is no state for it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"

enum job_state { JOB_PENDING, JOB_RUNNING, JOB_COMPLETED, JOB_FAILED, JOB_EXPIRED, JOB_STATES };

/* Whether a job may change from state `from` to state `to`. */
bool job_may_move(enum job_state from, enum job_state to);
/* The status that a client sees: "pending" (also while it runs), "completed", "failed";
 * "expired" is only for logs, a client gets 410 instead. */
const char *job_status(enum job_state state);
/* Whether quota is given back for a job that ended with this code. */
bool job_is_refunded(enum err_code code);

#define JOB_TOOL 32 /* room for the name of a tool with its NUL */

/* Which of a job's files the store keeps with it (store_files); the others are blobs. */
#define JOB_HAS_INPUTS 1
#define JOB_HAS_RESULT 2

/*
 * Texts are owned by the job and NULL when absent; job_free frees them. The *_json texts are
 * written and read by dispatch/intake, dispatch/result and api/jobs: the store does not interpret
 * them.
 */
struct job {
    char id[ID_TEXT];
    int64_t key_id; /* the API key that submitted it */
    char tool[JOB_TOOL];
    enum job_state state;

    char *client_ref;   /* the client's own name for it */
    char *callback_url; /* where to report its end (data/job/delivery.h) */
    /* the address that the submission was sent to: for addresses in the report */
    char *callback_base;

    char *stem;        /* of the result's name: from the first upload, sanitised */
    char *params_json; /* object: name -> text as validated, without secrets */
    char *inputs_json; /* array of {name, bytes} in order, then {param, bytes} for the files
                          of parameters; blobs "in.0", "in.1", ... */
    int32_t n_inputs;
    bool has_secret; /* blob "secret": object, name -> text of the secret parameters */
    int64_t input_bytes;
    int64_t reused_bytes; /* of these: bytes of earlier results, which are not charged again */
    int64_t retention_ms; /* how long it is kept after its end; 0: as the server's setting */
    int64_t cost_ms;      /* estimated run time in ms (dispatch/pace) */

    /* Unix milliseconds; 0: not yet. */
    int64_t created_at, run_at, started_at, finished_at, expires_at;

    int32_t in_store; /* JOB_HAS_INPUTS, JOB_HAS_RESULT, both or none; set by the store */
    int32_t attempt;  /* number of claims; also the fencing token of the latest claim */
    /* claims that do not count as attempts: the server stopped, or its disk was full */
    int32_t spared;
    int64_t lease_until;
    double progress; /* 0 to 1 */

    /* For completed jobs; the result is blob "out.<attempt>" unless in the store. */
    char *output_name;   /* outputFile */
    char *outputs_json;  /* array of {name, offset, bytes, pages, sha256}, see
                            server/dispatch/result.h */
    char *warnings_json; /* array of {code, message}, or {warnings, report}:
                            server/dispatch/result.h */
    int64_t output_bytes;
    int64_t duration_ms;

    /* For failed jobs. */
    char *error, *message;
    char *error_field; /* the parameter or form field at fault; NULL: none is known */
};

/* Whether the job has completed or failed. */
static inline bool job_is_over(const struct job *job)
{
    return job->state == JOB_COMPLETED || job->state == JOB_FAILED;
}

/* Whether the job's retention has passed at `now` (Unix ms), even if it was not removed yet. */
static inline bool job_is_expired(const struct job *job, int64_t now)
{
    return job->state == JOB_EXPIRED || (job->expires_at && job->expires_at <= now);
}

/* The bytes of its files that count in the month's data volume. */
static inline int64_t job_counted_bytes(const struct job *job)
{
    return job->input_bytes - job->reused_bytes;
}

/* Makes a copy with its own texts. -1 without memory, and *to is empty. */
int job_copy(struct job *to, const struct job *from, struct err *err);
/* Frees the job's texts: the rest contains nothing of the client's files. */
void job_erase(struct job *job);
/* Frees what the job owns and empties it. */
void job_free(struct job *job);
#define AUTO_JOB __attribute__((cleanup(job_free)))
