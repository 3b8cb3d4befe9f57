/* The store in SQLite: jobs coming in, and being looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/store_sqlite/sqlite_job.h"
#include "data/store_sqlite/store_sqlite_parts.h"

struct put {
    const struct job *job;
    const struct store_terms *terms;
    struct store_receipt *receipt;
};

/* 1: a replay, the receipt names the first job; 0: not seen before. */
static int find_replay(struct sqlite_db *db, const struct put *put, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db, "SELECT fingerprint, job FROM idempotency WHERE account = ?1 AND key = ?2",
        BIND(V(put->job->key_id), V(put->terms->idempotency_key)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc < 1)
        return rc;
    if (store_compare((const char *) sqlite3_column_text(stmt, 0), put->terms, err) < 0)
        return -1;
    put->receipt->replayed = true;
    snprintf(put->receipt->job_id, ID_TEXT, "%s", (const char *) sqlite3_column_text(stmt, 1));
    return 1;
}

static int unfinished(struct sqlite_db *db, int64_t account, int64_t *out, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, "SELECT pending + running FROM accounts WHERE id = ?1 AND id > 0",
                        BIND(V(account)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc < 0)
        return -1;
    if (rc == 0)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    *out = sqlite3_column_int64(stmt, 0);
    return 0;
}

static int insert(struct sqlite_db *db, const struct put *put, struct err *err)
{
    const struct job *job = put->job;

    return sqlite_db_run(
        db,
        "INSERT INTO jobs(id, account, month, tool, state, n_inputs, has_secret, input_bytes,"
        " created_at, run_at, stem, params, inputs, client_ref, callback_url, callback_base, cost,"
        " long, reused_bytes, retention_ms, in_store)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        " ?19, ?20, ?21)",
        BIND(V(job->id), V(job->key_id), V(put->terms->month), V(job->tool), V(JOB_PENDING),
             V(job->n_inputs), V(job->has_secret), V(job->input_bytes), V(job->created_at),
             V(job->run_at), V(job->stem), V(job->params_json), V(job->inputs_json),
             V(job->client_ref), V(job->callback_url), V(job->callback_base), V(job->cost_ms),
             V(store_is_long(job->cost_ms)), V(job->reused_bytes), V(job->retention_ms),
             V(put->terms->inputs ? JOB_HAS_INPUTS : 0)),
        err);
}

/* Of the job that was just inserted. */
static int insert_files(struct sqlite_db *db, const struct put *put, struct err *err)
{
    if (!put->terms->inputs)
        return 0;
    return sqlite_db_run(db, "INSERT INTO job_inputs(row, bytes) VALUES(?1, ?2)",
                         BIND(V((int64_t) sqlite3_last_insert_rowid(db->handle)),
                              sqlite_value_bytes(put->terms->inputs, put->job->input_bytes)),
                         err);
}

static int charge_quota(struct sqlite_db *db, const struct put *put, struct err *err)
{
    return sqlite_db_run(
        db,
        "INSERT INTO usage(account, month, requests, bytes) VALUES(?1, ?2, 1, ?3)"
        " ON CONFLICT DO UPDATE SET requests = requests + 1, bytes = bytes + excluded.bytes",
        BIND(V(put->job->key_id), V(put->terms->month), V(job_counted_bytes(put->job))), err);
}

static int remember(struct sqlite_db *db, const struct put *put, struct err *err)
{
    if (!put->terms->idempotency_key)
        return 0;
    return sqlite_db_run(db,
                         "INSERT INTO idempotency(account, key, fingerprint, job, created_at)"
                         " VALUES(?1, ?2, ?3, ?4, ?5)",
                         BIND(V(put->job->key_id), V(put->terms->idempotency_key),
                              V(put->terms->fingerprint), V(put->job->id), V(put->job->created_at)),
                         err);
}

static int put_job(struct sqlite_db *db, void *arg, struct err *err)
{
    struct put *put = arg;
    const struct job *job = put->job;
    struct store_receipt *receipt = put->receipt;
    int64_t open = 0;
    int rc;

    *receipt = (struct store_receipt){ 0 };
    if (unfinished(db, job->key_id, &open, err) < 0)
        return -1;
    rc = put->terms->idempotency_key ? find_replay(db, put, err) : 0;
    if (rc < 0 || store_sqlite_used(db, job->key_id, put->terms->month, &receipt->usage, err) < 0)
        return -1;
    if (rc == 1)
        return 0;
    if (store_rules_check(put->terms, &receipt->usage, open, job_counted_bytes(job), err) < 0)
        return -1;
    if (insert(db, put, err) < 0 || insert_files(db, put, err) < 0 ||
        charge_quota(db, put, err) < 0 || remember(db, put, err) < 0 ||
        sqlite_job_count(db, job->key_id, JOB_PENDING, 1, err) < 0)
        return -1;
    receipt->usage.requests++;
    receipt->usage.bytes += job_counted_bytes(job);
    memcpy(receipt->job_id, job->id, ID_TEXT);
    return 0;
}

int store_sqlite_put(struct store *store, const struct job *job, const struct store_terms *terms,
                     struct store_receipt *receipt, struct err *err)
{
    struct put put = { job, terms, receipt };

    return sqlite_writer_do(store_sqlite_of(store)->writer, put_job, &put, err);
}

int store_sqlite_find(struct store *store, const char *id, struct job *job, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);
    struct sqlite_job found;
    int rc;

    if (!read.db)
        return -1;
    rc = sqlite_job_by_id(read.db, id, &found, err);
    if (rc == 1)
        *job = found.job;
    return rc;
}

static int read_files(struct sqlite_db *db, const char *id, int which, struct buf *out,
                      struct err *err)
{
    const struct sqlite_value values[] = { V(id) };
    AUTO_QUERY sqlite3_stmt *stmt =
        which == JOB_HAS_INPUTS
            ? sqlite_db_query(db,
                              "SELECT f.bytes FROM jobs j JOIN job_inputs f ON f.row = j.row"
                              " WHERE j.id = ?1",
                              values, 1, err)
            : sqlite_db_query(db,
                              "SELECT f.bytes FROM jobs j JOIN job_results f ON f.row = j.row"
                              " WHERE j.id = ?1",
                              values, 1, err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc < 1)
        return rc;
    buf_put(out, sqlite3_column_blob(stmt, 0), (size_t) sqlite3_column_bytes(stmt, 0));
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 1;
}

int store_sqlite_files(struct store *store, const char *id, int which, struct buf *out,
                       struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? read_files(read.db, id, which, out, err) : -1;
}

static int append_job(struct store_jobs *jobs, sqlite3_stmt *stmt, struct err *err)
{
    struct sqlite_job found;
    struct job *list = reallocarray(jobs->list, jobs->n + 1, sizeof *list);

    if (!list)
        return err_set(err, ERR_INTERNAL, "out of memory");
    jobs->list = list;
    if (sqlite_job_read(stmt, &found, err) < 0)
        return -1;
    list[jobs->n++] = found.job;
    return 0;
}

static sqlite3_stmt *ask_page(struct sqlite_db *db, int64_t key_id, const struct store_page *page,
                              struct err *err)
{
    const char *before = page->before ? page->before : "~"; /* which comes after every id */
    int states = store_states_of(page->status);

#define OF_PAGE                                                                                    \
    " AND id < ?2 AND (?3 >> state) & 1 AND created_at >= ?5 AND created_at < ?6"                  \
    " AND (?7 IS NULL OR tool = ?7) ORDER BY id DESC LIMIT ?4"
    int64_t until = page->until ? page->until : INT64_MAX;

    if (page->client_ref)
        return sqlite_db_query(db,
                               SQLITE_JOB_SELECT "WHERE account = ?1 AND client_ref = ?8" OF_PAGE,
                               BIND(V(key_id), V(before), V(states), V((int64_t) page->limit),
                                    V(page->after), V(until), V(page->tool), V(page->client_ref)),
                               err);
    return sqlite_db_query(db, SQLITE_JOB_SELECT "WHERE account = ?1 AND listed = 1" OF_PAGE,
                           BIND(V(key_id), V(before), V(states), V((int64_t) page->limit),
                                V(page->after), V(until), V(page->tool)),
                           err);
}

static int list_jobs(struct sqlite_db *db, int64_t key_id, const struct store_page *page,
                     struct store_jobs *jobs, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = ask_page(db, key_id, page, err);
    AUTO_STORE_JOBS struct store_jobs found = { 0 };
    int rc = -1;

    while (stmt && (rc = sqlite_db_next(stmt, err)) == 1)
        if (append_job(&found, stmt, err) < 0)
            return -1;
    if (rc < 0)
        return -1;
    *jobs = found;
    found = (struct store_jobs){ 0 };
    return 0;
}

int store_sqlite_list(struct store *store, int64_t key_id, const struct store_page *page,
                      struct store_jobs *jobs, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    if (!read.db)
        return -1;
    return list_jobs(read.db, key_id, page, jobs, err);
}

static int read_depth(struct sqlite_db *db, int64_t *pending, int64_t *running, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, "SELECT pending, running FROM accounts WHERE id = 0", NULL, 0, err);

    if (!stmt || sqlite_db_next(stmt, err) < 1)
        return -1;
    *pending = sqlite3_column_int64(stmt, 0);
    *running = sqlite3_column_int64(stmt, 1);
    return 0;
}

int store_sqlite_depth(struct store *store, int64_t *pending, int64_t *running, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    if (!read.db)
        return -1;
    return read_depth(read.db, pending, running, err);
}

int store_sqlite_oldest(struct store *store, int64_t *created_at, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);
    int got;

    if (!read.db)
        return -1;
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(read.db,
                        "SELECT min((SELECT created_at FROM jobs WHERE state = 0 AND account = a.id"
                        " AND long = kinds.long ORDER BY run_at, id LIMIT 1))"
                        " FROM accounts a, (SELECT 0 AS long UNION ALL SELECT 1) kinds"
                        " WHERE a.pending > 0 AND a.id > 0",
                        NULL, 0, err);

    got = stmt ? sqlite_db_next(stmt, err) : -1;
    if (got < 0)
        return -1;
    *created_at = got ? sqlite3_column_int64(stmt, 0) : 0;
    return 0;
}
