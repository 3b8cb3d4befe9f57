/* The store in PostgreSQL: deliveries being taken, settled, looked at. */
#include <stdio.h>
#include <stdlib.h>

#include "data/store/store_rules.h"
#include "data/store_postgres/store_postgres_parts.h"

#define WIDTHS V(STORE_HOST_WIDTH), V(STORE_ACCOUNT_WIDTH)

#define DELIVERY_SELECT                                                                            \
    "SELECT id, job, account, state, attempts, tries, created_at, since, next_at, last_at,"        \
    " http_status, duration_ms, url, error, excerpt FROM "

/* The columns of DELIVERY_SELECT. */
enum {
    ID,
    JOB,
    ACCOUNT,
    STATE,
    ATTEMPTS,
    TRIES,
    CREATED_AT,
    SINCE,
    NEXT_AT,
    LAST_AT,
    HTTP_STATUS,
    DURATION_MS,
    URL,
    ERROR,
    EXCERPT,
    /* of store_postgres_delivery_page alone */
    JOB_STATE,
    JOB_EXPIRES_AT,
};

static int read_one(const PGresult *r, int row, struct delivery *delivery, struct err *err)
{
    *delivery = (struct delivery){
        .key_id = postgres_integer(r, row, ACCOUNT),
        .state = (enum delivery_state) postgres_integer(r, row, STATE),
        .attempts = (int32_t) postgres_integer(r, row, ATTEMPTS),
        .tries = (int32_t) postgres_integer(r, row, TRIES),
        .created_at = postgres_integer(r, row, CREATED_AT),
        .since = postgres_integer(r, row, SINCE),
        .next_at = postgres_integer(r, row, NEXT_AT),
        .last_at = postgres_integer(r, row, LAST_AT),
        .http_status = (int32_t) postgres_integer(r, row, HTTP_STATUS),
        .duration_ms = postgres_integer(r, row, DURATION_MS),
    };
    snprintf(delivery->id, ID_TEXT, "%s", postgres_text(r, row, ID));
    snprintf(delivery->job_id, ID_TEXT, "%s", postgres_text(r, row, JOB));
    if (postgres_copy(r, row, URL, &delivery->url) &&
        postgres_copy(r, row, ERROR, &delivery->error) &&
        postgres_copy(r, row, EXCERPT, &delivery->excerpt))
        return 0;
    delivery_free(delivery);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

static int read_deliveries(const PGresult *r, struct store_deliveries *deliveries, struct err *err)
{
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    int n = r ? PQntuples(r) : 0;

    if (!r)
        return -1;
    if (n > 0 && !(found.list = calloc((size_t) n, sizeof *found.list)))
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (int i = 0; i < n; i++, found.n++)
        if (read_one(r, i, &found.list[i], err) < 0)
            return -1;
    *deliveries = found;
    found = (struct store_deliveries){ 0 };
    return 0;
}

int store_postgres_delivery_claim(struct store *store, int64_t now, size_t limit,
                                  struct store_deliveries *deliveries, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);
    AUTO_RESULT PGresult *r =
        postgres_db_call(s->db, DELIVERY_SELECT "platen.delivery_claim($1, $2, $3, $4, $5)",
                         BIND(V((const char *) s->node), V(now), V((int64_t) limit), WIDTHS), err);

    return read_deliveries(r, deliveries, err);
}

int store_postgres_delivery_settle(struct store *store, const struct store_outcome *outcomes,
                                   size_t n, struct err *err)
{
    /* One after the other, each a transaction: a transaction with several accounts could
     * deadlock with another server's. */
    for (size_t i = 0; i < n; i++) {
        const struct store_outcome *o = &outcomes[i];
        AUTO_RESULT PGresult *r = postgres_db_call(
            store_postgres_of(store)->db,
            "SELECT platen.delivery_settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            BIND(V((const char *) o->id), V(o->state), V(o->at), V(o->next_at), V(o->http_status),
                 V(o->duration_ms), V(o->error), V(o->excerpt), V(o->unreachable), WIDTHS),
            err);

        if (!r)
            return -1;
    }
    return 0;
}

int store_postgres_delivery_reclaim(struct store *store, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);
    int64_t n;

    if (postgres_db_number(s->db, "SELECT platen.delivery_reclaim($1, $2, $3)",
                           BIND(V((const char *) s->node), WIDTHS), &n, err) < 0)
        return -1;
    return (int) n;
}

int store_postgres_delivery_next(struct store *store, int64_t *next_at, struct err *err)
{
    return postgres_db_number(store_postgres_of(store)->db, "SELECT platen.delivery_next()", NULL,
                              0, next_at, err);
}

int store_postgres_delivery_list(struct store *store, const char *job_id,
                                 struct store_deliveries *deliveries, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         DELIVERY_SELECT "platen.deliveries WHERE job = $1", BIND(V(job_id)), err);

    return read_deliveries(r, deliveries, err);
}

int store_postgres_delivery_page(struct store *store, int64_t key_id,
                                 const struct store_delivery_page *page,
                                 struct store_deliveries *deliveries, struct err *err)
{
    const char *before = page->before ? page->before : "~"; /* which comes after every id */
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "SELECT d.*, j.state, j.expires_at FROM (" DELIVERY_SELECT
                         "platen.deliveries WHERE account = $1 AND id < $2"
                         " AND ($3::int >> state) & 1 = 1 ORDER BY id DESC LIMIT $4) d"
                         " JOIN platen.jobs j ON j.id = d.job ORDER BY d.id DESC",
                         BIND(V(key_id), V(before), V(store_delivery_states_of(page->status)),
                              V((int64_t) page->limit)),
                         err);

    if (read_deliveries(r, deliveries, err) < 0)
        return -1;
    for (size_t i = 0; i < deliveries->n; i++) {
        deliveries->list[i].job_state = (enum job_state) postgres_integer(r, (int) i, JOB_STATE);
        deliveries->list[i].job_expires_at = postgres_integer(r, (int) i, JOB_EXPIRES_AT);
    }
    return 0;
}

int store_postgres_delivery_again(struct store *store, const char *job_id, const char *id,
                                  int64_t now, struct err *err)
{
    int64_t done;

    if (postgres_db_number(store_postgres_of(store)->db,
                           "SELECT platen.delivery_again($1, $2, $3, $4, $5)",
                           BIND(V(job_id), V(id), V(now), WIDTHS), &done, err) < 0)
        return -1;
    return (int) done;
}
