#include "data/store_sqlite/sqlite_job.h"

#include <string.h>

/* The columns of SQLITE_JOB_SELECT. */
enum {
    ROW,
    MONTH,
    ID,
    ACCOUNT,
    TOOL,
    STATE,
    N_INPUTS,
    HAS_SECRET,
    INPUT_BYTES,
    CREATED_AT,
    RUN_AT,
    STARTED_AT,
    FINISHED_AT,
    EXPIRES_AT,
    ATTEMPT,
    LEASE_UNTIL,
    PROGRESS,
    OUTPUT_BYTES,
    DURATION_MS,
    CLIENT_REF,
    CALLBACK_URL,
    CALLBACK_BASE,
    STEM,
    PARAMS,
    INPUTS,
    OUTPUT_NAME,
    OUTPUTS,
    WARNINGS,
    ERROR,
    MESSAGE,
    COST,
    REUSED_BYTES,
    RETENTION_MS,
    SPARED,
    IN_STORE,
    ERROR_FIELD,
};

static bool read_texts(sqlite3_stmt *stmt, struct job *job)
{
    return sqlite_db_text(stmt, CLIENT_REF, &job->client_ref) &&
           sqlite_db_text(stmt, CALLBACK_URL, &job->callback_url) &&
           sqlite_db_text(stmt, CALLBACK_BASE, &job->callback_base) &&
           sqlite_db_text(stmt, STEM, &job->stem) &&
           sqlite_db_text(stmt, PARAMS, &job->params_json) &&
           sqlite_db_text(stmt, INPUTS, &job->inputs_json) &&
           sqlite_db_text(stmt, OUTPUT_NAME, &job->output_name) &&
           sqlite_db_text(stmt, OUTPUTS, &job->outputs_json) &&
           sqlite_db_text(stmt, WARNINGS, &job->warnings_json) &&
           sqlite_db_text(stmt, ERROR, &job->error) &&
           sqlite_db_text(stmt, MESSAGE, &job->message) &&
           sqlite_db_text(stmt, ERROR_FIELD, &job->error_field);
}

int sqlite_job_read(sqlite3_stmt *stmt, struct sqlite_job *out, struct err *err)
{
    struct job *job = &out->job;

    *out = (struct sqlite_job){
        .row = sqlite3_column_int64(stmt, ROW),
        .month = sqlite3_column_int64(stmt, MONTH),
        .job = {
            .key_id = sqlite3_column_int64(stmt, ACCOUNT),
            .state = (enum job_state) sqlite3_column_int(stmt, STATE),
            .n_inputs = sqlite3_column_int(stmt, N_INPUTS),
            .has_secret = sqlite3_column_int(stmt, HAS_SECRET) != 0,
            .input_bytes = sqlite3_column_int64(stmt, INPUT_BYTES),
            .created_at = sqlite3_column_int64(stmt, CREATED_AT),
            .run_at = sqlite3_column_int64(stmt, RUN_AT),
            .started_at = sqlite3_column_int64(stmt, STARTED_AT),
            .finished_at = sqlite3_column_int64(stmt, FINISHED_AT),
            .expires_at = sqlite3_column_int64(stmt, EXPIRES_AT),
            .attempt = sqlite3_column_int(stmt, ATTEMPT),
            .spared = sqlite3_column_int(stmt, SPARED),
            .in_store = sqlite3_column_int(stmt, IN_STORE),
            .lease_until = sqlite3_column_int64(stmt, LEASE_UNTIL),
            .progress = sqlite3_column_double(stmt, PROGRESS),
            .output_bytes = sqlite3_column_int64(stmt, OUTPUT_BYTES),
            .duration_ms = sqlite3_column_int64(stmt, DURATION_MS),
            .reused_bytes = sqlite3_column_int64(stmt, REUSED_BYTES),
            .retention_ms = sqlite3_column_int64(stmt, RETENTION_MS),
            .cost_ms = sqlite3_column_int64(stmt, COST),
        },
    };
    sqlite_db_copy(stmt, ID, job->id, sizeof job->id);
    sqlite_db_copy(stmt, TOOL, job->tool, sizeof job->tool);
    if (read_texts(stmt, job))
        return 0;
    job_free(job);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

int sqlite_job_find(struct sqlite_db *db, const char *sql, const struct sqlite_value *values,
                    size_t n, struct sqlite_job *out, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, sql, values, n, err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc < 1)
        return rc;
    return sqlite_job_read(stmt, out, err) < 0 ? -1 : 1;
}

int sqlite_job_by_id(struct sqlite_db *db, const char *id, struct sqlite_job *out, struct err *err)
{
    return sqlite_job_find(db, SQLITE_JOB_SELECT "WHERE id = ?1", BIND(V(id)), out, err);
}

static int count_jobs(struct sqlite_db *db, int64_t account, int pending, int running,
                      struct err *err)
{
    return sqlite_db_run(db,
                         "UPDATE accounts SET pending = pending + ?2, running = running + ?3"
                         " WHERE id IN (0, ?1)",
                         BIND(V(account), V(pending), V(running)), err);
}

int sqlite_job_count(struct sqlite_db *db, int64_t account, enum job_state state, int n,
                     struct err *err)
{
    if (state != JOB_PENDING && state != JOB_RUNNING)
        return 0;
    return count_jobs(db, account, state == JOB_PENDING ? n : 0, state == JOB_RUNNING ? n : 0, err);
}

int sqlite_job_move(struct sqlite_db *db, struct sqlite_job *job, enum job_state to,
                    struct err *err)
{
    enum job_state from = job->job.state;
    int64_t account = job->job.key_id;
    int rc;

    if (!job_may_move(from, to))
        return err_set(err, ERR_INTERNAL, "a job that is %s cannot become %s", job_status(from),
                       job_status(to));
    /* The two moves between states that are both counted take one statement, not two. */
    if (from == JOB_PENDING && to == JOB_RUNNING)
        rc = count_jobs(db, account, -1, 1, err);
    else if (from == JOB_RUNNING && to == JOB_PENDING)
        rc = count_jobs(db, account, 1, -1, err);
    else
        rc = sqlite_job_count(db, account, from, -1, err);
    job->job.state = to;
    return rc < 0 ? -1 : 0;
}

int sqlite_job_save(struct sqlite_db *db, const struct sqlite_job *record, struct err *err)
{
    const struct job *job = &record->job;

    return sqlite_db_run(
        db,
        "UPDATE jobs SET state = ?2, run_at = ?3, started_at = ?4, finished_at = ?5,"
        " expires_at = ?6, attempt = ?7, lease_until = ?8, progress = ?9, output_bytes = ?10,"
        " duration_ms = ?11, spared = ?12, in_store = ?13 WHERE row = ?1",
        BIND(V(record->row), V(job->state), V(job->run_at), V(job->started_at), V(job->finished_at),
             V(job->expires_at), V(job->attempt), V(job->lease_until), V(job->progress),
             V(job->output_bytes), V(job->duration_ms), V(job->spared), V(job->in_store)),
        err);
}

int sqlite_job_refund(struct sqlite_db *db, const struct sqlite_job *job, struct err *err)
{
    return sqlite_db_run(db,
                         "UPDATE usage SET requests = requests - 1, bytes = bytes - ?3 "
                         "WHERE account = ?1 AND month = ?2",
                         BIND(V(job->job.key_id), V(job->month), V(job_counted_bytes(&job->job))),
                         err);
}

int sqlite_job_drop_files(struct sqlite_db *db, struct sqlite_job *job, struct err *err)
{
    int in_store = job->job.in_store;

    job->job.in_store = 0;
    if ((in_store & JOB_HAS_INPUTS) &&
        sqlite_db_run(db, "DELETE FROM job_inputs WHERE row = ?1", BIND(V(job->row)), err) < 0)
        return -1;
    if ((in_store & JOB_HAS_RESULT) &&
        sqlite_db_run(db, "DELETE FROM job_results WHERE row = ?1", BIND(V(job->row)), err) < 0)
        return -1;
    return 0;
}
