/* The store in SQLite: results that are sent to addresses. */
#include "data/store/store_shipments.h"

#include <stdio.h>

#include "data/store_sqlite/sqlite_delivery.h"
#include "data/store_sqlite/store_sqlite_parts.h"

#define SELECT                                                                                     \
    "SELECT id, job, account, part, host, state, attempts, created_at, next_at, last_at,"          \
    " duration_ms, http_status, error FROM shipments "

/* The columns of SELECT. */
enum {
    ID,
    JOB,
    ACCOUNT,
    PART,
    HOST,
    STATE,
    ATTEMPTS,
    CREATED_AT,
    NEXT_AT,
    LAST_AT,
    DURATION_MS,
    HTTP_STATUS,
    ERROR,
};

/* The arguments of one of the functions below. */
struct shipping {
    const struct store_shipments *put;
    const struct store_shipment *given;
    struct store_shipment *claimed;
    int64_t now, until;
};

static void read_shipment(sqlite3_stmt *stmt, struct store_shipment *out)
{
    *out = (struct store_shipment){
        .key_id = sqlite3_column_int64(stmt, ACCOUNT),
        .part = sqlite3_column_int(stmt, PART),
        .state = (enum shipment_state) sqlite3_column_int(stmt, STATE),
        .attempts = sqlite3_column_int(stmt, ATTEMPTS),
        .created_at = sqlite3_column_int64(stmt, CREATED_AT),
        .next_at = sqlite3_column_int64(stmt, NEXT_AT),
        .last_at = sqlite3_column_int64(stmt, LAST_AT),
        .duration_ms = sqlite3_column_int64(stmt, DURATION_MS),
        .http_status = sqlite3_column_int(stmt, HTTP_STATUS),
    };
    sqlite_db_copy(stmt, ID, out->id, sizeof out->id);
    sqlite_db_copy(stmt, JOB, out->job_id, sizeof out->job_id);
    sqlite_db_copy(stmt, HOST, out->host, sizeof out->host);
    sqlite_db_copy(stmt, ERROR, out->error, sizeof out->error);
}

static int put_shipments(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct store_shipments *put = ((const struct shipping *) arg)->put;

    for (size_t i = 0; i < put->n; i++) {
        const struct store_shipment *s = &put->list[i];
        const char *id = s->id, *job = s->job_id, *host = s->host, *error = s->error;

        if ((i == 0 &&
             sqlite_db_run(db, "DELETE FROM shipments WHERE job = ?1", BIND(V(job)), err) < 0) ||
            sqlite_db_run(
                db,
                "INSERT INTO shipments(id, job, account, part, host, state, created_at, next_at,"
                " error) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                BIND(V(id), V(job), V(s->key_id), V(s->part), V(host), V(s->state),
                     V(s->created_at), V(s->next_at), V(error)),
                err) < 0)
            return -1;
    }
    return 0;
}

static int store_sqlite_shipment_put(struct store *store, const struct store_shipments *shipments,
                                     struct err *err)
{
    struct shipping shipping = { .put = shipments };

    return sqlite_writer_do(store_sqlite_of(store)->writer, put_shipments, &shipping, err);
}

/* The first of each account that has one, and of these that of the account that sends fewest: the
 * cost grows with the accounts that wait, not with their shipments. */
static int find_due(struct sqlite_db *db, int64_t now, struct store_shipment *out, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db,
        "WITH RECURSIVE a(id) AS (SELECT min(account) FROM shipments WHERE state < 2"
        "   UNION ALL SELECT (SELECT min(account) FROM shipments WHERE state < 2 AND account > "
        "a.id)"
        "   FROM a WHERE id IS NOT NULL),"
        " f(row, sending) AS (SELECT (SELECT s.row FROM shipments s JOIN jobs j ON j.id = s.job"
        "     WHERE s.account = a.id AND s.state < 2 AND s.next_at <= ?1 AND j.state = 2"
        "     ORDER BY s.next_at, s.row LIMIT 1),"
        "   (SELECT count(*) FROM shipments WHERE account = a.id AND state = 1 AND next_at > ?1)"
        "   FROM a WHERE id IS NOT NULL)" SELECT
        "JOIN f USING(row) WHERE sending < ?2 ORDER BY sending, next_at LIMIT 1",
        BIND(V(now), V(STORE_SHIPMENT_WIDTH)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    if (rc == 1)
        read_shipment(stmt, out);
    return rc;
}

static int claim_shipment(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct shipping *shipping = arg;
    struct store_shipment *out = shipping->claimed;
    const char *id = out->id;
    int rc = find_due(db, shipping->now, out, err);

    if (rc < 1)
        return rc;
    out->state = SHIPMENT_SENDING;
    out->attempts++;
    out->next_at = shipping->until;
    return sqlite_db_run(
        db, "UPDATE shipments SET state = 1, attempts = ?2, next_at = ?3 WHERE id = ?1",
        BIND(V(id), V(out->attempts), V(out->next_at)), err);
}

static int store_sqlite_shipment_claim(struct store *store, int64_t now, int64_t until,
                                       struct store_shipment *shipment, struct err *err)
{
    struct shipping shipping = { .claimed = shipment, .now = now, .until = until };

    return sqlite_writer_do_unsynced(store_sqlite_of(store)->writer, claim_shipment, &shipping,
                                     err);
}

static int renew_shipment(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct shipping *shipping = arg;
    const char *id = shipping->given->id;

    return sqlite_db_run(db,
                         "UPDATE shipments SET next_at = ?3 WHERE id = ?1 AND attempts = ?2"
                         " AND state = 1",
                         BIND(V(id), V(shipping->given->attempts), V(shipping->until)), err);
}

static int store_sqlite_shipment_renew(struct store *store, const struct store_shipment *shipment,
                                       int64_t until, struct err *err)
{
    struct shipping shipping = { .given = shipment, .until = until };

    return sqlite_writer_do_unsynced(store_sqlite_of(store)->writer, renew_shipment, &shipping,
                                     err);
}

/* The job's webhook is due, and is another one if it was sent before. */
static int report_end(struct sqlite_db *db, const struct store_shipment *s, int64_t now,
                      struct err *err)
{
    char id[ID_TEXT], host[DELIVERY_HOST];
    const char *job = s->job_id, *new_id = id;
    int rc;

    {
        AUTO_QUERY sqlite3_stmt *stmt =
            sqlite_db_query(db,
                            "SELECT host FROM deliveries WHERE job = ?1 AND NOT EXISTS"
                            " (SELECT 1 FROM shipments WHERE job = ?1 AND state < 2)",
                            BIND(V(job)), err);

        rc = stmt ? sqlite_db_next(stmt, err) : -1;
        if (rc == 1)
            sqlite_db_copy(stmt, 0, host, sizeof host);
    }
    if (rc < 1)
        return rc;
    id_new(id);
    if (sqlite_db_run(db,
                      "UPDATE deliveries SET id = CASE WHEN attempts = 0 AND state = 0 THEN id"
                      " ELSE ?2 END, state = 0, tries = 0, since = ?3, next_at = ?3 WHERE job = ?1",
                      BIND(V(job), V(new_id), V(now)), err) < 0)
        return -1;
    return sqlite_delivery_open_host(db, s->key_id, host, err);
}

static int settle_shipment(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct shipping *shipping = arg;
    const struct store_shipment *s = shipping->given;
    const char *id = s->id, *error = s->error;
    int rc = sqlite_db_run(db,
                           "UPDATE shipments SET state = ?3, next_at = ?4, last_at = ?5,"
                           " duration_ms = ?6, http_status = ?7, error = ?8"
                           " WHERE id = ?1 AND attempts = ?2 AND state = 1",
                           BIND(V(id), V(s->attempts), V(s->state), V(s->next_at), V(s->last_at),
                                V(s->duration_ms), V(s->http_status), V(error)),
                           err);

    if (rc < 1)
        return rc;
    return s->state >= SHIPMENT_DONE && report_end(db, s, shipping->now, err) < 0 ? -1 : 1;
}

static int store_sqlite_shipment_settle(struct store *store, const struct store_shipment *shipment,
                                        int64_t now, struct err *err)
{
    struct shipping shipping = { .given = shipment, .now = now };

    return sqlite_writer_do(store_sqlite_of(store)->writer, settle_shipment, &shipping, err);
}

static int read_next(struct sqlite_db *db, int64_t *next_at, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, "SELECT min(next_at) FROM shipments WHERE state < 2", NULL, 0, err);

    if (!stmt || sqlite_db_next(stmt, err) < 1)
        return -1;
    *next_at = sqlite3_column_int64(stmt, 0);
    return 0;
}

static int store_sqlite_shipment_next(struct store *store, int64_t *next_at, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? read_next(read.db, next_at, err) : -1;
}

static int reclaim_shipments(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct shipping *shipping = arg;

    return sqlite_db_run(db, "UPDATE shipments SET state = 0, next_at = ?1 WHERE state = 1",
                         BIND(V(shipping->now)), err);
}

static int store_sqlite_shipment_reclaim(struct store *store, int64_t now, struct err *err)
{
    struct shipping shipping = { .now = now };

    return sqlite_writer_do(store_sqlite_of(store)->writer, reclaim_shipments, &shipping, err);
}

static int list_shipments(struct sqlite_db *db, const char *job_id,
                          struct store_shipments *shipments, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, SELECT "WHERE job = ?1 ORDER BY part", BIND(V(job_id)), err);
    struct store_shipment one;
    int rc = -1;

    while (stmt && (rc = sqlite_db_next(stmt, err)) == 1) {
        read_shipment(stmt, &one);
        if (store_shipments_add(shipments, &one, err) < 0)
            return -1;
    }
    return rc;
}

static int store_sqlite_shipment_list(struct store *store, const char *job_id,
                                      struct store_shipments *shipments, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    *shipments = (struct store_shipments){ 0 };
    return read.db ? list_shipments(read.db, job_id, shipments, err) : -1;
}

const struct store_shipment_ops store_sqlite_shipments = {
    .put = store_sqlite_shipment_put,
    .claim = store_sqlite_shipment_claim,
    .renew = store_sqlite_shipment_renew,
    .settle = store_sqlite_shipment_settle,
    .next = store_sqlite_shipment_next,
    .reclaim = store_sqlite_shipment_reclaim,
    .list = store_sqlite_shipment_list,
};
