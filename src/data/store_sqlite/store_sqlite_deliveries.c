/* The store in SQLite: deliveries being taken, settled, looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/store/store_rules.h"
#include "data/store_sqlite/sqlite_delivery.h"
#include "data/store_sqlite/store_sqlite_parts.h"

struct delivering {
    int64_t now;
    size_t limit;
    struct store_deliveries claimed;
    const struct store_outcome *outcomes;
    size_t n_outcomes;
    const char *job_id, *id;
};

static int append_delivery(struct store_deliveries *deliveries, sqlite3_stmt *stmt, struct err *err)
{
    struct delivery *list = reallocarray(deliveries->list, deliveries->n + 1, sizeof *list);

    if (!list)
        return err_set(err, ERR_INTERNAL, "out of memory");
    deliveries->list = list;
    if (sqlite_delivery_read(stmt, &list[deliveries->n], err) < 0)
        return -1;
    deliveries->n++;
    return 0;
}

/* Whose turn it is: the account that was served longest ago, and its host. */
struct turn {
    int64_t account;
    char host[DELIVERY_HOST];
};

/* 1: found; 0: there is none with less than `width` in flight. */
static int next_account(struct sqlite_db *db, int64_t now, size_t width, struct turn *turn,
                        struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db,
                        "SELECT account FROM callback_accounts a WHERE next_at <= ?1"
                        " AND (SELECT count(*) FROM deliveries d"
                        "   WHERE d.account = a.account AND d.state = 1) < ?2"
                        " ORDER BY turn, account LIMIT 1",
                        BIND(V(now), V((int64_t) width)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc == 1)
        turn->account = sqlite3_column_int64(stmt, 0);
    return rc;
}

static int next_host(struct sqlite_db *db, int64_t now, struct turn *turn, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db,
                        "SELECT host FROM callback_hosts WHERE account = ?1 AND next_at <= ?2"
                        " ORDER BY next_at LIMIT 1",
                        BIND(V(turn->account), V(now)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc == 1)
        snprintf(turn->host, DELIVERY_HOST, "%s", (const char *) sqlite3_column_text(stmt, 0));
    return rc;
}

static int claim_first(struct sqlite_db *db, const struct turn *turn, struct store_deliveries *out,
                       struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db,
                        SQLITE_DELIVERY_SELECT "WHERE account = ?1 AND host = ?2 AND state = 0"
                                               " ORDER BY next_at, id LIMIT 1",
                        BIND(V(turn->account), V((const char *) turn->host)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc < 1)
        return rc;
    return append_delivery(out, stmt, err) < 0 ? -1 : 1;
}

static int claim_one(struct sqlite_db *db, struct delivering *work, struct err *err)
{
    struct delivery *taken;
    struct turn turn = { 0 };
    int rc = next_account(db, work->now, work->limit - work->claimed.n, &turn, err);

    if (rc == 1)
        rc = next_host(db, work->now, &turn, err);
    if (rc < 1)
        return rc;
    rc = claim_first(db, &turn, &work->claimed, err);
    if (rc < 0)
        return -1;
    if (rc == 1) {
        taken = &work->claimed.list[work->claimed.n - 1];
        taken->state = DELIVERY_SENDING;
        if (sqlite_db_run(db, "UPDATE deliveries SET state = 1 WHERE id = ?1",
                          BIND(V((const char *) taken->id)), err) < 0 ||
            sqlite_db_run(db,
                          "UPDATE callback_accounts"
                          " SET turn = (SELECT max(turn) + 1 FROM callback_accounts)"
                          " WHERE account = ?1",
                          BIND(V(turn.account)), err) < 0)
            return -1;
    }
    return sqlite_delivery_host(db, turn.account, turn.host, err) < 0 ? -1 : 1;
}

static int claim(struct sqlite_db *db, void *arg, struct err *err)
{
    struct delivering *work = arg;
    int rc = 1;

    while (work->claimed.n < work->limit && (rc = claim_one(db, work, err)) == 1)
        continue;
    return rc < 0 ? -1 : 0;
}

int store_sqlite_delivery_claim(struct store *store, int64_t now, size_t limit,
                                struct store_deliveries *deliveries, struct err *err)
{
    struct delivering work = { .now = now, .limit = limit };
    int rc = sqlite_writer_do_unsynced(store_sqlite_of(store)->writer, claim, &work, err);

    if (rc < 0)
        store_deliveries_free(&work.claimed);
    else
        *deliveries = work.claimed;
    return rc;
}

/* The account and host of a delivery that is being sent. 1: found; 0: there is none. */
static int turn_of(struct sqlite_db *db, const char *id, struct turn *turn, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db, "SELECT account, host FROM deliveries WHERE id = ?1 AND state = 1", BIND(V(id)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc == 1) {
        turn->account = sqlite3_column_int64(stmt, 0);
        snprintf(turn->host, DELIVERY_HOST, "%s", (const char *) sqlite3_column_text(stmt, 1));
    }
    return rc;
}

static int settle_one(struct sqlite_db *db, const struct store_outcome *o, struct err *err)
{
    const char *id = o->id;
    struct turn turn = { 0 };
    int rc = turn_of(db, id, &turn, err);

    if (rc < 1)
        return rc;
    if (sqlite_db_run(db,
                      "UPDATE deliveries SET state = ?2, attempts = attempts + 1,"
                      " tries = tries + 1, next_at = ?3, last_at = ?4, http_status = ?5,"
                      " duration_ms = ?6, error = ?7, excerpt = ?8 WHERE id = ?1",
                      BIND(V(id), V(o->state), V(o->next_at), V(o->at), V(o->http_status),
                           V(o->duration_ms), V(o->error), V(o->excerpt)),
                      err) < 0 ||
        sqlite_db_run(db, "UPDATE callback_hosts SET failing = ?3 WHERE account = ?1 AND host = ?2",
                      BIND(V(turn.account), V((const char *) turn.host), V(o->unreachable)),
                      err) < 0)
        return -1;
    return sqlite_delivery_host(db, turn.account, turn.host, err);
}

static int settle_delivery(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct delivering *work = arg;

    for (size_t i = 0; i < work->n_outcomes; i++)
        if (settle_one(db, &work->outcomes[i], err) < 0)
            return -1;
    return 0;
}

int store_sqlite_delivery_settle(struct store *store, const struct store_outcome *outcomes,
                                 size_t n, struct err *err)
{
    struct delivering work = { .outcomes = outcomes, .n_outcomes = n };

    return sqlite_writer_do_unsynced(store_sqlite_of(store)->writer, settle_delivery, &work, err);
}

/* One of those that were being sent. */
static int put_back_one(struct sqlite_db *db, struct err *err)
{
    struct store_deliveries found = { 0 };
    char host[DELIVERY_HOST];
    int rc;

    {
        AUTO_QUERY sqlite3_stmt *stmt =
            sqlite_db_query(db, SQLITE_DELIVERY_SELECT "WHERE state = 1 LIMIT 1", NULL, 0, err);

        rc = stmt ? sqlite_db_next(stmt, err) : -1;
        if (rc == 1 && append_delivery(&found, stmt, err) < 0)
            rc = -1;
    }
    if (rc == 1 && found.list) {
        delivery_host(found.list[0].url, host);
        rc = sqlite_db_run(db, "UPDATE deliveries SET state = 0 WHERE id = ?1",
                           BIND(V((const char *) found.list[0].id)), err);
    }
    if (rc == 1 && found.list && sqlite_delivery_host(db, found.list[0].key_id, host, err) < 0)
        rc = -1;
    store_deliveries_free(&found);
    return rc;
}

static int reclaim(struct sqlite_db *db, void *arg, struct err *err)
{
    int n = 0, rc;

    (void) arg;
    while ((rc = put_back_one(db, err)) == 1)
        n++;
    return rc < 0 ? -1 : n;
}

int store_sqlite_delivery_reclaim(struct store *store, struct err *err)
{
    return sqlite_writer_do(store_sqlite_of(store)->writer, reclaim, NULL, err);
}

static int read_next(struct sqlite_db *db, int64_t *next_at, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db, "SELECT min(next_at) FROM callback_accounts WHERE next_at IS NOT NULL", NULL, 0, err);

    if (!stmt || sqlite_db_next(stmt, err) < 1)
        return -1;
    *next_at = sqlite3_column_int64(stmt, 0);
    return 0;
}

int store_sqlite_delivery_next(struct store *store, int64_t *next_at, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? read_next(read.db, next_at, err) : -1;
}

/* All rows of a query, which may be NULL: it failed. It may have the columns of jobs as well. */
static int read_deliveries(sqlite3_stmt *stmt, struct store_deliveries *deliveries, struct err *err)
{
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    int rc = -1;

    while (stmt && (rc = sqlite_db_next(stmt, err)) == 1) {
        if (append_delivery(&found, stmt, err) < 0)
            return -1;
        if (sqlite3_column_count(stmt) > SQLITE_DELIVERY_COLUMNS) {
            struct delivery *last = &found.list[found.n - 1];

            /* append_delivery() gave it: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
            last->job_state = (enum job_state) sqlite3_column_int(stmt, SQLITE_DELIVERY_COLUMNS);
            last->job_expires_at = sqlite3_column_int64(stmt, SQLITE_DELIVERY_COLUMNS + 1);
        }
    }
    if (rc < 0)
        return -1;
    *deliveries = found;
    found = (struct store_deliveries){ 0 };
    return 0;
}

static int list_deliveries(struct sqlite_db *db, const char *job_id,
                           struct store_deliveries *deliveries, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, SQLITE_DELIVERY_SELECT "WHERE job = ?1", BIND(V(job_id)), err);

    return read_deliveries(stmt, deliveries, err);
}

static int list_page(struct sqlite_db *db, int64_t key_id, const struct store_delivery_page *page,
                     struct store_deliveries *deliveries, struct err *err)
{
    const char *before = page->before ? page->before : "~"; /* which comes after every id */
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db,
                        "SELECT d.*, j.state, j.expires_at FROM (" SQLITE_DELIVERY_SELECT
                        "WHERE account = ?1 AND id < ?2 AND (?3 >> state) & 1"
                        " ORDER BY id DESC LIMIT ?4) d"
                        " JOIN jobs j ON j.id = d.job ORDER BY d.id DESC",
                        BIND(V(key_id), V(before), V(store_delivery_states_of(page->status)),
                             V((int64_t) page->limit)),
                        err);

    return read_deliveries(stmt, deliveries, err);
}

int store_sqlite_delivery_page(struct store *store, int64_t key_id,
                               const struct store_delivery_page *page,
                               struct store_deliveries *deliveries, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? list_page(read.db, key_id, page, deliveries, err) : -1;
}

int store_sqlite_delivery_list(struct store *store, const char *job_id,
                               struct store_deliveries *deliveries, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? list_deliveries(read.db, job_id, deliveries, err) : -1;
}

static int again(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct delivering *work = arg;
    struct store_deliveries found = { 0 };
    char host[DELIVERY_HOST];
    int rc = list_deliveries(db, work->job_id, &found, err);

    if (rc == 0 && found.n == 1 && strcmp(found.list[0].id, work->id) == 0)
        rc = 1;
    if (rc == 1 && found.list[0].state != DELIVERY_SENDING) {
        delivery_host(found.list[0].url, host);
        if (sqlite_db_run(db,
                          "UPDATE deliveries SET state = 0, tries = 0, since = ?2, next_at = ?2"
                          " WHERE id = ?1",
                          BIND(V(work->id), V(work->now)), err) < 0 ||
            sqlite_delivery_open_host(db, found.list[0].key_id, host, err) < 0)
            rc = -1;
    }
    store_deliveries_free(&found);
    return rc;
}

int store_sqlite_delivery_again(struct store *store, const char *job_id, const char *id,
                                int64_t now, struct err *err)
{
    struct delivering work = { .now = now, .job_id = job_id, .id = id };

    return sqlite_writer_do(store_sqlite_of(store)->writer, again, &work, err);
}
