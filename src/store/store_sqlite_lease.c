/* The store in SQLite: what a claimer does. */
#include "store/sqlite_job.h"
#include "store/store_sqlite.h"

#define AUTO_RECORD __attribute__((cleanup(free_record)))
static void free_record(struct sqlite_job *record)
{
    job_free(&record->job);
}

struct lease {
    const char *id;
    int32_t attempt;
    int64_t time; /* claim, reclaim: now; heartbeat: lease_until; release: run_at */
    int64_t lease_ms;
    double progress;
    const struct store_end *end;
    struct job *claimed;
};

static int claim(struct sqlite_db *db, void *arg, struct err *err)
{
    struct lease *lease = arg;
    AUTO_RECORD struct sqlite_job next = { 0 };
    int rc = sqlite_job_find(db,
                             SQLITE_JOB_SELECT "WHERE state = 0 AND run_at <= ?1"
                                               " ORDER BY run_at, id LIMIT 1",
                             BIND(V(lease->time)), &next, err);

    if (rc < 1)
        return rc;
    if (sqlite_job_move(db, &next, JOB_RUNNING, err) < 0)
        return -1;
    next.job.attempt++;
    next.job.lease_until = lease->time + lease->lease_ms;
    if (next.job.started_at == 0)
        next.job.started_at = lease->time;
    if (sqlite_job_save(db, &next, err) < 0)
        return -1;
    *lease->claimed = next.job;
    next.job = (struct job){ 0 };
    return 1;
}

int store_sqlite_claim(struct store *store, int64_t now, int64_t lease_ms, struct job *job,
                       struct err *err)
{
    struct job claimed = { 0 };
    struct lease lease = { .time = now, .lease_ms = lease_ms, .claimed = &claimed };
    int rc = sqlite_writer_do_unsynced(store_sqlite_of(store)->writer, claim, &lease, err);

    if (rc < 0)
        job_free(&claimed);
    if (rc == 1)
        *job = claimed;
    return rc;
}

static int heartbeat(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct lease *lease = arg;

    return sqlite_db_run(db,
                         "UPDATE jobs SET lease_until = ?3, progress = ?4"
                         " WHERE id = ?1 AND attempt = ?2 AND state = 1",
                         BIND(V(lease->id), V(lease->attempt), V(lease->time), V(lease->progress)),
                         err);
}

int store_sqlite_heartbeat(struct store *store, const char *id, int32_t attempt,
                           int64_t lease_until, double progress, struct err *err)
{
    struct lease lease = { id, attempt, .time = lease_until, .progress = progress };

    return sqlite_writer_do_unsynced(store_sqlite_of(store)->writer, heartbeat, &lease, err);
}

/* 1: the job, whose claim of that attempt still holds; 0: lost. */
static int find_claimed(struct sqlite_db *db, const struct lease *lease, struct sqlite_job *out,
                        struct err *err)
{
    return sqlite_job_find(db, SQLITE_JOB_SELECT "WHERE id = ?1 AND attempt = ?2 AND state = 1",
                           BIND(V(lease->id), V(lease->attempt)), out, err);
}

static int save_report(struct sqlite_db *db, int64_t row, const struct store_end *end,
                       struct err *err)
{
    const char *error = end->state == JOB_FAILED ? err_name(end->code) : NULL;

    return sqlite_db_run(db,
                         "UPDATE jobs SET output_name = ?2, outputs = ?3, warnings = ?4,"
                         " error = ?5, message = ?6 WHERE row = ?1",
                         BIND(V(row), V(end->output_name), V(end->outputs_json),
                              V(end->warnings_json), V(error), V(end->message)),
                         err);
}

static int finish(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct lease *lease = arg;
    const struct store_end *end = lease->end;
    AUTO_RECORD struct sqlite_job ended = { 0 };
    int rc = find_claimed(db, lease, &ended, err);

    if (rc < 1)
        return rc;
    if (sqlite_job_move(db, &ended, end->state, err) < 0)
        return -1;
    ended.job.lease_until = 0;
    ended.job.finished_at = end->finished_at;
    ended.job.expires_at = end->expires_at;
    ended.job.duration_ms = end->duration_ms;
    ended.job.output_bytes = end->output_bytes;
    if (end->state == JOB_COMPLETED)
        ended.job.progress = 1;
    else if (job_is_refunded(end->code) && sqlite_job_refund(db, &ended, err) < 0)
        return -1;
    if (sqlite_job_save(db, &ended, err) < 0 || save_report(db, ended.row, end, err) < 0)
        return -1;
    return 1;
}

int store_sqlite_finish(struct store *store, const char *id, int32_t attempt,
                        const struct store_end *end, struct err *err)
{
    const struct store_end half = store_end_half(end);
    struct lease lease = { id, attempt, .end = &half };

    return sqlite_writer_do(store_sqlite_of(store)->writer, finish, &lease, err);
}

static int put_back(struct sqlite_db *db, struct sqlite_job *job, int64_t run_at, struct err *err)
{
    if (sqlite_job_move(db, job, JOB_PENDING, err) < 0)
        return -1;
    job->job.run_at = run_at;
    job->job.lease_until = 0;
    job->job.progress = 0;
    return sqlite_job_save(db, job, err) < 0 ? -1 : 1;
}

static int release(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct lease *lease = arg;
    AUTO_RECORD struct sqlite_job released = { 0 };
    int rc = find_claimed(db, lease, &released, err);

    return rc < 1 ? rc : put_back(db, &released, lease->time, err);
}

int store_sqlite_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                         struct err *err)
{
    struct lease lease = { id, attempt, .time = run_at };

    return sqlite_writer_do(store_sqlite_of(store)->writer, release, &lease, err);
}

static int reclaim_one(struct sqlite_db *db, int64_t now, struct err *err)
{
    AUTO_RECORD struct sqlite_job lost = { 0 };
    int rc = sqlite_job_find(db, SQLITE_JOB_SELECT "WHERE state = 1 AND lease_until < ?1 LIMIT 1",
                             BIND(V(now)), &lost, err);

    return rc < 1 ? rc : put_back(db, &lost, lost.job.run_at, err);
}

static int reclaim(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct lease *lease = arg;
    int n = 0, rc;

    while ((rc = reclaim_one(db, lease->time, err)) == 1)
        n++;
    return rc < 0 ? -1 : n;
}

int store_sqlite_reclaim(struct store *store, int64_t now, struct err *err)
{
    struct lease lease = { .time = now };

    return sqlite_writer_do(store_sqlite_of(store)->writer, reclaim, &lease, err);
}
