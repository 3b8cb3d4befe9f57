/* The store in SQLite: what a claimer does. */
#include "data/store_sqlite/sqlite_delivery.h"
#include "data/store_sqlite/sqlite_job.h"
#include "data/store_sqlite/store_sqlite_parts.h"

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
    bool spared;
    int64_t bytes;           /* fetched */
    const char *inputs_json; /* fetched */
    const struct store_end *end;
    const struct store_choice *choice;
    struct job *claimed;
};

/* Whose turn it is, and with which job. */
struct turn {
    int64_t account, clock;
    struct store_share share;
    int64_t row;
    bool both; /* jobs of both kinds wait */
};

/* The row of the account's first job of a kind, 0 if none may run now; or -1. */
static int64_t first_of(struct sqlite_db *db, int64_t account, bool is_long, int64_t now,
                        struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db,
                        "SELECT row FROM jobs WHERE state = 0 AND account = ?1 AND long = ?2"
                        " AND run_at <= ?3 ORDER BY run_at, id LIMIT 1",
                        BIND(V(account), V(is_long), V(now)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    return rc < 1 ? rc : sqlite3_column_int64(stmt, 0);
}

static bool is_passed(const struct store_choice *choice, int64_t account)
{
    for (size_t i = 0; choice && i < choice->n_passed; i++)
        if (choice->passed[i] == account)
            return true;
    return false;
}

/* 1: found; 0: nothing may run now. Passes over accounts all of whose jobs were put back a moment
 * ago: those are few. */
static int find_turn(struct sqlite_db *db, const struct lease *lease, struct turn *turn,
                     struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db,
                        "SELECT a.id, a.turn, a.lean, z.turn FROM accounts z CROSS JOIN accounts a"
                        " WHERE z.id = 0 AND a.pending > 0 AND a.id > 0 ORDER BY a.turn, a.id",
                        NULL, 0, err);
    int rc = -1;

    while (stmt && (rc = sqlite_db_next(stmt, err)) == 1) {
        int64_t account = sqlite3_column_int64(stmt, 0);

        if (is_passed(lease->choice, account))
            continue;
        int64_t brief = first_of(db, account, false, lease->time, err);
        int64_t lengthy = brief < 0 ? -1 : first_of(db, account, true, lease->time, err);
        bool waits = lengthy != 0;

        if (lengthy < 0)
            return -1;
        if (lease->choice && lease->choice->brief)
            lengthy = 0;
        if (!brief && !lengthy)
            continue;
        *turn = (struct turn){ .account = account,
                               .clock = sqlite3_column_int64(stmt, 3),
                               .share = { sqlite3_column_int64(stmt, 1),
                                          sqlite3_column_int64(stmt, 2) },
                               .both = brief && waits };
        turn->row = store_share_runs_long(&turn->share, brief, lengthy) ? lengthy : brief;
        return 1;
    }
    return rc;
}

static int charge(struct sqlite_db *db, struct turn *turn, int64_t cost_ms, struct err *err)
{
    store_charge(&turn->share, &turn->clock, cost_ms, turn->both);
    return sqlite_db_run(
        db,
        "UPDATE accounts SET turn = CASE id WHEN 0 THEN ?2 ELSE ?3 END,"
        " lean = CASE id WHEN 0 THEN 0 ELSE ?4 END WHERE id IN (0, ?1)",
        BIND(V(turn->account), V(turn->clock), V(turn->share.turn), V(turn->share.lean)), err);
}

static int claim(struct sqlite_db *db, void *arg, struct err *err)
{
    struct lease *lease = arg;
    AUTO_RECORD struct sqlite_job next = { 0 };
    struct turn turn = { 0 };
    int rc = find_turn(db, lease, &turn, err);

    if (rc == 1)
        rc = sqlite_job_find(db, SQLITE_JOB_SELECT "WHERE row = ?1", BIND(V(turn.row)), &next, err);
    if (rc < 1)
        return rc;
    if (sqlite_job_move(db, &next, JOB_RUNNING, err) < 0 ||
        charge(db, &turn, next.job.cost_ms, err) < 0)
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

int store_sqlite_claim(struct store *store, int64_t now, int64_t lease_ms,
                       const struct store_choice *choice, struct job *job, struct err *err)
{
    struct job claimed = { 0 };
    struct lease lease = {
        .time = now, .lease_ms = lease_ms, .choice = choice, .claimed = &claimed
    };
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
                         " error = ?5, message = ?6, error_field = ?7 WHERE row = ?1",
                         BIND(V(row), V(end->output_name), V(end->outputs_json),
                              V(end->warnings_json), V(error), V(end->message), V(end->field)),
                         err);
}

/* The difference between the job's actual and its estimated run time. */
static int correct(struct sqlite_db *db, const struct job *job, struct err *err)
{
    return sqlite_db_run(db, "UPDATE accounts SET turn = turn + ?2 WHERE id = ?1",
                         BIND(V(job->key_id), V(job->duration_ms - job->cost_ms)), err);
}

/* The result replaces the inputs: it is written to the pages that they free. */
static int exchange_files(struct sqlite_db *db, struct sqlite_job *ended,
                          const struct store_end *end, struct err *err)
{
    if (sqlite_job_drop_files(db, ended, err) < 0)
        return -1;
    if (!end->result)
        return 0;
    ended->job.in_store = JOB_HAS_RESULT;
    return sqlite_db_run(db, "INSERT INTO job_results(row, bytes) VALUES(?1, ?2)",
                         BIND(V(ended->row), sqlite_value_bytes(end->result, end->output_bytes)),
                         err);
}

static int finish_lease(struct sqlite_db *db, void *arg, struct err *err)
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
    else if (job_is_refunded(end->code) && !end->charged && sqlite_job_refund(db, &ended, err) < 0)
        return -1;
    if (exchange_files(db, &ended, end, err) < 0 || sqlite_job_save(db, &ended, err) < 0 ||
        save_report(db, ended.row, end, err) < 0 || correct(db, &ended.job, err) < 0 ||
        sqlite_delivery_begin(db, &ended.job, err) < 0)
        return -1;
    return 1;
}

int store_sqlite_finish(struct store *store, const char *id, int32_t attempt,
                        const struct store_end *end, struct err *err)
{
    const struct store_end half = store_end_half(end);
    struct lease lease = { id, attempt, .end = &half };

    return sqlite_writer_do(store_sqlite_of(store)->writer, finish_lease, &lease, err);
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

    if (rc < 1)
        return rc;
    released.job.spared += lease->spared;
    return put_back(db, &released, lease->time, err);
}

int store_sqlite_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                         bool spared, struct err *err)
{
    struct lease lease = { id, attempt, .time = run_at, .spared = spared };

    return sqlite_writer_do(store_sqlite_of(store)->writer, release, &lease, err);
}

static int fetched(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct lease *lease = arg;
    AUTO_RECORD struct sqlite_job record = { 0 };
    int rc = find_claimed(db, lease, &record, err);

    if (rc < 1)
        return rc;
    if (sqlite_db_run(db,
                      "UPDATE jobs SET inputs = ?2, input_bytes = input_bytes + ?3 WHERE row = ?1",
                      BIND(V(record.row), V(lease->inputs_json), V(lease->bytes)), err) < 0 ||
        sqlite_db_run(db,
                      "INSERT INTO usage(account, month, requests, bytes) VALUES(?1, ?2, 0, ?3)"
                      " ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes",
                      BIND(V(record.job.key_id), V(record.month), V(lease->bytes)), err) < 0)
        return -1;
    record.job.spared++;
    return put_back(db, &record, lease->time, err);
}

int store_sqlite_fetched(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                         int64_t bytes, const char *inputs_json, struct err *err)
{
    struct lease lease = { id, attempt, .time = run_at, .bytes = bytes,
                           .inputs_json = inputs_json };

    return sqlite_writer_do(store_sqlite_of(store)->writer, fetched, &lease, err);
}

static int reclaim_one(struct sqlite_db *db, int64_t now, struct err *err)
{
    AUTO_RECORD struct sqlite_job lost = { 0 };
    int rc = sqlite_job_find(db, SQLITE_JOB_SELECT "WHERE state = 1 AND lease_until < ?1 LIMIT 1",
                             BIND(V(now)), &lost, err);

    return rc < 1 ? rc : put_back(db, &lost, lost.job.run_at, err);
}

/* Those that wait for a clock that was turned back. */
static int bring_forward(struct sqlite_db *db, int64_t now, struct err *err)
{
    if (now > INT64_MAX - STORE_AHEAD_MS)
        return 0;
    /* Ordered by account and kind, like the index: the cost does not grow with the queue. */
    return sqlite_db_run(db,
                         "UPDATE jobs SET run_at = ?1 WHERE state = 0 AND run_at > ?2"
                         " AND account IN (SELECT id FROM accounts INDEXED BY accounts_waiting"
                         "   WHERE pending > 0 AND id > 0)"
                         " AND long IN (0, 1)",
                         BIND(V(now), V(now + STORE_AHEAD_MS)), err);
}

static int reclaim(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct lease *lease = arg;
    int n = 0, rc;

    while ((rc = reclaim_one(db, lease->time, err)) == 1)
        n++;
    if (rc < 0 || bring_forward(db, lease->time, err) < 0)
        return -1;
    return n;
}

int store_sqlite_reclaim(struct store *store, int64_t now, struct err *err)
{
    struct lease lease = { .time = now };

    return sqlite_writer_do(store_sqlite_of(store)->writer, reclaim, &lease, err);
}
