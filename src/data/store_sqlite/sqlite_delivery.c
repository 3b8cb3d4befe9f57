#include "data/store_sqlite/sqlite_delivery.h"

#include <stdio.h>
#include <string.h>

#include "data/store/store_shipments.h"

/* The columns of SQLITE_DELIVERY_SELECT. */
enum {
    ID,
    JOB,
    ACCOUNT,
    URL,
    STATE,
    ATTEMPTS,
    TRIES,
    CREATED_AT,
    SINCE,
    NEXT_AT,
    LAST_AT,
    HTTP_STATUS,
    DURATION_MS,
    ERROR,
    EXCERPT,
};

int sqlite_delivery_read(sqlite3_stmt *stmt, struct delivery *delivery, struct err *err)
{
    *delivery = (struct delivery){
        .key_id = sqlite3_column_int64(stmt, ACCOUNT),
        .state = (enum delivery_state) sqlite3_column_int(stmt, STATE),
        .attempts = sqlite3_column_int(stmt, ATTEMPTS),
        .tries = sqlite3_column_int(stmt, TRIES),
        .created_at = sqlite3_column_int64(stmt, CREATED_AT),
        .since = sqlite3_column_int64(stmt, SINCE),
        .next_at = sqlite3_column_int64(stmt, NEXT_AT),
        .last_at = sqlite3_column_int64(stmt, LAST_AT),
        .http_status = sqlite3_column_int(stmt, HTTP_STATUS),
        .duration_ms = sqlite3_column_int64(stmt, DURATION_MS),
    };
    snprintf(delivery->id, ID_TEXT, "%s", (const char *) sqlite3_column_text(stmt, ID));
    snprintf(delivery->job_id, ID_TEXT, "%s", (const char *) sqlite3_column_text(stmt, JOB));
    if (sqlite_db_text(stmt, URL, &delivery->url) &&
        sqlite_db_text(stmt, ERROR, &delivery->error) &&
        sqlite_db_text(stmt, EXCERPT, &delivery->excerpt))
        return 0;
    delivery_free(delivery);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

/* A host's next delivery, and whether the host is still needed. */
static int update_host(struct sqlite_db *db, int64_t account, const char *host, struct err *err)
{
    if (sqlite_db_run(db,
                      "UPDATE callback_hosts SET next_at ="
                      " CASE WHEN (SELECT count(*) FROM deliveries"
                      "   WHERE account = ?1 AND host = ?2 AND state = 1) < iif(failing, 1, ?3)"
                      " THEN (SELECT min(next_at) FROM deliveries"
                      "   WHERE account = ?1 AND host = ?2 AND state = 0)"
                      " END WHERE account = ?1 AND host = ?2",
                      BIND(V(account), V(host), V(STORE_HOST_WIDTH)), err) < 0)
        return -1;
    return sqlite_db_run(db,
                         "DELETE FROM callback_hosts"
                         " WHERE account = ?1 AND host = ?2 AND next_at IS NULL"
                         " AND NOT EXISTS (SELECT 1 FROM deliveries"
                         "   WHERE account = ?1 AND host = ?2 AND state = 0)"
                         " AND NOT EXISTS (SELECT 1 FROM deliveries"
                         "   WHERE account = ?1 AND host = ?2 AND state = 1)",
                         BIND(V(account), V(host)), err);
}

/* The same of an account, from its hosts. */
static int update_account(struct sqlite_db *db, int64_t account, struct err *err)
{
    if (sqlite_db_run(db,
                      "UPDATE callback_accounts SET next_at ="
                      " CASE WHEN (SELECT count(*) FROM deliveries"
                      "   WHERE account = ?1 AND state = 1) < ?2"
                      " THEN (SELECT min(next_at) FROM callback_hosts"
                      "   WHERE account = ?1 AND next_at IS NOT NULL)"
                      " END WHERE account = ?1",
                      BIND(V(account), V(STORE_ACCOUNT_WIDTH)), err) < 0)
        return -1;
    return sqlite_db_run(db,
                         "DELETE FROM callback_accounts WHERE account = ?1"
                         " AND NOT EXISTS (SELECT 1 FROM callback_hosts WHERE account = ?1)",
                         BIND(V(account)), err);
}

int sqlite_delivery_host(struct sqlite_db *db, int64_t account, const char *host, struct err *err)
{
    return update_host(db, account, host, err) < 0 || update_account(db, account, err) < 0 ? -1 : 0;
}

int sqlite_delivery_open_host(struct sqlite_db *db, int64_t account, const char *host,
                              struct err *err)
{
    if (sqlite_db_run(db,
                      "INSERT INTO callback_accounts(account) VALUES(?1) ON CONFLICT DO NOTHING",
                      BIND(V(account)), err) < 0 ||
        sqlite_db_run(db,
                      "INSERT INTO callback_hosts(account, host) VALUES(?1, ?2)"
                      " ON CONFLICT DO NOTHING",
                      BIND(V(account), V(host)), err) < 0)
        return -1;
    return sqlite_delivery_host(db, account, host, err);
}

int sqlite_delivery_begin(struct sqlite_db *db, const struct job *job, struct err *err)
{
    char id[ID_TEXT], host[DELIVERY_HOST];

    if (!job->callback_url)
        return 0;
    id_new(id);
    delivery_host(job->callback_url, host);
    if (sqlite_db_run(db,
                      "INSERT INTO deliveries(id, job, account, host, url, created_at, since,"
                      " next_at) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6 + iif(?7 = 2 AND EXISTS"
                      " (SELECT 1 FROM shipments WHERE job = ?2 AND state < 2), ?8, 0))",
                      BIND(V((const char *) id), V(job->id), V(job->key_id), V((const char *) host),
                           V(job->callback_url), V(job->finished_at), V(job->state),
                           V(STORE_SHIPMENT_HOLD_MS)),
                      err) < 0)
        return -1;
    return sqlite_delivery_open_host(db, job->key_id, host, err);
}

int sqlite_delivery_drop(struct sqlite_db *db, const struct job *job, struct err *err)
{
    char host[DELIVERY_HOST];
    int gone;

    if (sqlite_db_run(db, "DELETE FROM shipments WHERE job = ?1", BIND(V(job->id)), err) < 0)
        return -1;
    if (!job->callback_url)
        return 0;
    gone = sqlite_db_run(db, "DELETE FROM deliveries WHERE job = ?1", BIND(V(job->id)), err);
    if (gone < 1)
        return gone;
    delivery_host(job->callback_url, host);
    return sqlite_delivery_host(db, job->key_id, host, err);
}
