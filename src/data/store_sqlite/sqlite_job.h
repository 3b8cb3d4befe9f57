/* sqlite_job: reads a job from its row in the database, changes its state, and writes it back. */
#pragma once

#include "data/job/job.h"
#include "data/store_sqlite/sqlite_db.h"

struct sqlite_job {
    int64_t row;
    int64_t month; /* month of the quota that it was charged to */
    struct job job;
};

/* The beginning of a query whose rows sqlite_job_read can read. */
#define SQLITE_JOB_SELECT                                                                          \
    "SELECT row, month, id, account, tool, state, n_inputs, has_secret, input_bytes, created_at,"  \
    " run_at, started_at, finished_at, expires_at, attempt, lease_until, progress, output_bytes,"  \
    " duration_ms, client_ref, callback_url, callback_base, stem, params, inputs, output_name,"    \
    " outputs, warnings, error, message, cost, reused_bytes, retention_ms, spared,"                \
    " in_store, error_field FROM jobs "

/* Reads the current row of a query, copying its texts. On failure there is nothing to free. */
int sqlite_job_read(sqlite3_stmt *stmt, struct sqlite_job *out, struct err *err);
/* Reads the only or first row of a query. 1: read; 0: there is none. */
int sqlite_job_find(struct sqlite_db *db, const char *sql, const struct sqlite_value *values,
                    size_t n, struct sqlite_job *out, struct err *err);
/* The same for the job with that id. */
int sqlite_job_by_id(struct sqlite_db *db, const char *id, struct sqlite_job *out, struct err *err);

/* Adds n (which may be negative) to the number of the account's jobs in a state. */
int sqlite_job_count(struct sqlite_db *db, int64_t account, enum job_state state, int n,
                     struct err *err);
/* Changes the job's state, if job_may_move allows it, and the counts; call sqlite_job_save
 * afterwards. */
int sqlite_job_move(struct sqlite_db *db, struct sqlite_job *job, enum job_state to,
                    struct err *err);
/* Writes the job's numbers back, not its texts. */
int sqlite_job_save(struct sqlite_db *db, const struct sqlite_job *record, struct err *err);
/* Gives back the quota that the job was charged. */
int sqlite_job_refund(struct sqlite_db *db, const struct sqlite_job *job, struct err *err);
/* Erases the files that the store keeps with the job; call sqlite_job_save afterwards unless the
 * row is removed, too. */
int sqlite_job_drop_files(struct sqlite_db *db, struct sqlite_job *job, struct err *err);
