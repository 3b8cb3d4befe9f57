/* sqlite_job: a job as a row of the database: read, moved from state to state, written back. */
#pragma once

#include "job/job.h"
#include "store/sqlite_db.h"

struct sqlite_job {
    int64_t row;
    int64_t month; /* where its quota was taken from */
    struct job job;
};

/* What a query of jobs begins with; its rows are what sqlite_job_read reads. */
#define SQLITE_JOB_SELECT                                                                          \
    "SELECT row, month, id, account, tool, state, n_inputs, has_secret, input_bytes, created_at,"  \
    " run_at, started_at, finished_at, expires_at, attempt, lease_until, progress, output_bytes,"  \
    " duration_ms, client_ref, callback_url, callback_base, stem, params, inputs, output_name,"    \
    " outputs, warnings, error, message, cost, reused_bytes, retention_ms, spared,"                \
    " in_store, error_field FROM jobs "

/* The row a query stands at, with texts of its own. On failure there is nothing to free. */
int sqlite_job_read(sqlite3_stmt *stmt, struct sqlite_job *out, struct err *err);
/* The one row of a query, or the first. 1: read; 0: there is none. */
int sqlite_job_find(struct sqlite_db *db, const char *sql, const struct sqlite_value *values,
                    size_t n, struct sqlite_job *out, struct err *err);
/* The same for the job of that id. */
int sqlite_job_by_id(struct sqlite_db *db, const char *id, struct sqlite_job *out, struct err *err);

/* Counts n more (or, below 0, fewer) jobs of the account as being in a state. */
int sqlite_job_count(struct sqlite_db *db, int64_t account, enum job_state state, int n,
                     struct err *err);
/* Changes the job's state where job_may_move, and the counts with it; sqlite_job_save follows. */
int sqlite_job_move(struct sqlite_db *db, struct sqlite_job *job, enum job_state to,
                    struct err *err);
/* Writes the job's figures back, not its texts. */
int sqlite_job_save(struct sqlite_db *db, const struct sqlite_job *record, struct err *err);
/* Gives back the quota that was taken for it. */
int sqlite_job_refund(struct sqlite_db *db, const struct sqlite_job *job, struct err *err);
/* Erases the files that the store keeps with it; sqlite_job_save follows unless the row goes too.
 */
int sqlite_job_drop_files(struct sqlite_db *db, struct sqlite_job *job, struct err *err);
