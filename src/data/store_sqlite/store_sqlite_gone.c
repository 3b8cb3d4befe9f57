/* The store in SQLite: jobs removed, expired and forgotten. */
#include <stdlib.h>

#include "base/system/log.h"
#include "data/store_sqlite/sqlite_delivery.h"
#include "data/store_sqlite/sqlite_job.h"
#include "data/store_sqlite/sqlite_schema.h"
#include "data/store_sqlite/store_sqlite_parts.h"

/* rows deleted in one transaction: few enough that waiting requests do not notice */
#define FORGET_AT_ONCE "500"
/* how long emptying the log may delay the writer because of a reader */
#define EMPTY_LOG_MS 100

struct removal {
    const char *id;
    int64_t key_id;
    struct job removed;
};

static int remove_job(struct sqlite_db *db, void *arg, struct err *err)
{
    struct removal *removal = arg;
    struct sqlite_job gone;
    int rc = sqlite_job_find(db, SQLITE_JOB_SELECT "WHERE id = ?1 AND account = ?2 AND state < 4",
                             BIND(V(removal->id), V(removal->key_id)), &gone, err);

    if (rc < 1)
        return rc;
    removal->removed = gone.job;
    if (gone.job.started_at == 0 && sqlite_job_refund(db, &gone, err) < 0)
        return -1;
    if (sqlite_job_count(db, gone.job.key_id, gone.job.state, -1, err) < 0 ||
        sqlite_delivery_drop(db, &gone.job, err) < 0 || sqlite_job_drop_files(db, &gone, err) < 0 ||
        sqlite_db_run(db, "UPDATE idempotency SET fingerprint = '' WHERE job = ?1",
                      BIND(V((const char *) gone.job.id)), err) < 0 ||
        sqlite_db_run(db, "DELETE FROM jobs WHERE row = ?1", BIND(V(gone.row)), err) < 0)
        return -1;
    return 1;
}

int store_sqlite_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                        struct err *err)
{
    struct removal removal = { id, key_id, { { 0 } } };
    int rc = sqlite_writer_do(store_sqlite_of(store)->writer, remove_job, &removal, err);

    if (rc < 0)
        job_free(&removal.removed);
    if (rc == 1)
        *job = removal.removed;
    return rc;
}

struct expiry {
    int64_t now;
    size_t limit;
    struct store_jobs expired;
};

static int expire_one(struct sqlite_db *db, int64_t now, struct job *out, struct err *err)
{
    struct sqlite_job old;
    int rc = sqlite_job_find(db,
                             SQLITE_JOB_SELECT "WHERE state IN (2, 3) AND expires_at <= ?1"
                                               " ORDER BY expires_at LIMIT 1",
                             BIND(V(now)), &old, err);

    if (rc < 1)
        return rc;
    rc = sqlite_delivery_drop(db, &old.job, err);
    job_erase(&old.job);
    *out = old.job;
    if (rc < 0)
        return -1;
    if (sqlite_job_move(db, &old, JOB_EXPIRED, err) < 0 ||
        sqlite_job_drop_files(db, &old, err) < 0 || sqlite_job_save(db, &old, err) < 0)
        return -1;
    out->state = old.job.state;
    if (sqlite_db_run(db,
                      "UPDATE jobs SET client_ref = NULL, callback_url = NULL,"
                      " callback_base = NULL, stem = NULL, params = NULL, inputs = NULL,"
                      " output_name = NULL, outputs = NULL, warnings = NULL, error = NULL,"
                      " message = NULL, error_field = NULL, listed = 0 WHERE row = ?1",
                      BIND(V(old.row)), err) < 0)
        return -1;
    return 1;
}

static int append_gone(struct store_jobs *jobs, const struct job *job, struct err *err)
{
    struct job *list = reallocarray(jobs->list, jobs->n + 1, sizeof *list);

    if (!list)
        return err_set(err, ERR_INTERNAL, "out of memory");
    jobs->list = list;
    list[jobs->n++] = *job; /* which has no texts any more */
    return 0;
}

static int expire(struct sqlite_db *db, void *arg, struct err *err)
{
    struct expiry *expiry = arg;
    struct job job;
    int rc = 0;

    while (expiry->expired.n < expiry->limit && (rc = expire_one(db, expiry->now, &job, err)) == 1)
        if (append_gone(&expiry->expired, &job, err) < 0)
            return -1;
    return rc < 0 ? -1 : 0;
}

int store_sqlite_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                        struct err *err)
{
    struct expiry expiry = { now, limit, { 0 } };
    int rc = sqlite_writer_do(store_sqlite_of(store)->writer, expire, &expiry, err);

    if (rc < 0)
        store_jobs_free(&expiry.expired);
    else
        *jobs = expiry.expired;
    return rc;
}

static int forget_replays(struct sqlite_db *db, void *arg, struct err *err)
{
    const int64_t *before = arg;

    return sqlite_db_run(db,
                         "DELETE FROM idempotency WHERE (account, key) IN (SELECT account, key"
                         " FROM idempotency WHERE created_at < ?1 LIMIT " FORGET_AT_ONCE ")",
                         BIND(V(*before)), err);
}

static int forget_jobs(struct sqlite_db *db, void *arg, struct err *err)
{
    const int64_t *before = arg;

    return sqlite_db_run(db,
                         "DELETE FROM jobs WHERE row IN (SELECT row FROM jobs"
                         " WHERE state = 4 AND expires_at < ?1 LIMIT " FORGET_AT_ONCE ")",
                         BIND(V(*before)), err);
}

static int repeat(struct store_sqlite *s,
                  int (*work)(struct sqlite_db *db, void *arg, struct err *err), int64_t before,
                  struct err *err)
{
    int rc;

    do
        rc = sqlite_writer_do(s->writer, work, &before, err);
    while (rc > 0);
    return rc;
}

/* Deleted texts are overwritten in the database, but the log still contains them until it is
 * reused, which on a quiet server may be never. A concurrent reader can prevent emptying it:
 * then 1. */
static int empty_log(const struct store_sqlite *s)
{
    struct sqlite_db db;
    struct err err;
    int rc;

    if (sqlite_db_open(&db, s->path, false, &err) < 0) {
        log_warn("store.log_not_emptied", KV("error", err.msg));
        return 1;
    }
    sqlite3_busy_timeout(db.handle, EMPTY_LOG_MS);
    rc = sqlite3_wal_checkpoint_v2(db.handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    sqlite_db_close(&db);
    return rc == SQLITE_OK ? 0 : 1;
}

int store_sqlite_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                        struct err *err)
{
    struct store_sqlite *s = store_sqlite_of(store);

    if (repeat(s, forget_replays, idempotency_before, err) < 0 ||
        repeat(s, forget_jobs, expired_before, err) < 0)
        return -1;
    sqlite_schema_drop_copies(s->path, idempotency_before);
    return empty_log(s);
}
