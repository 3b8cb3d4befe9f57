/* The store in PostgreSQL: results that are sent to addresses. */
#include "data/store/store_shipments.h"

#include <stdio.h>

#include "data/store_postgres/store_postgres_parts.h"

#define SELECT                                                                                     \
    "SELECT id, job, account, part, host, state, attempts, created_at, next_at, last_at,"          \
    " duration_ms, http_status, error FROM "

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

static void read_shipment(const PGresult *r, int row, struct store_shipment *out)
{
    *out = (struct store_shipment){
        .key_id = postgres_integer(r, row, ACCOUNT),
        .part = (int32_t) postgres_integer(r, row, PART),
        .state = (enum shipment_state) postgres_integer(r, row, STATE),
        .attempts = (int32_t) postgres_integer(r, row, ATTEMPTS),
        .created_at = postgres_integer(r, row, CREATED_AT),
        .next_at = postgres_integer(r, row, NEXT_AT),
        .last_at = postgres_integer(r, row, LAST_AT),
        .duration_ms = postgres_integer(r, row, DURATION_MS),
        .http_status = (int32_t) postgres_integer(r, row, HTTP_STATUS),
    };
    snprintf(out->id, sizeof out->id, "%s", postgres_text(r, row, ID));
    snprintf(out->job_id, sizeof out->job_id, "%s", postgres_text(r, row, JOB));
    snprintf(out->host, sizeof out->host, "%s", postgres_text(r, row, HOST));
    snprintf(out->error, sizeof out->error, "%s", postgres_text(r, row, ERROR));
}

/* One statement for each: the job is not completed before all are there, and they are not claimed
 * before. A part that is put twice counts once. */
static int store_postgres_shipment_put(struct store *store, const struct store_shipments *put,
                                       struct err *err)
{
    struct postgres_db *db = store_postgres_of(store)->db;

    for (size_t i = 0; i < put->n; i++) {
        const struct store_shipment *s = &put->list[i];
        const char *id = s->id, *job = s->job_id, *host = s->host, *error = s->error;
        AUTO_RESULT PGresult *r = postgres_db_call(
            db,
            "INSERT INTO platen.shipments(id, job, account, part, host, state, created_at,"
            " next_at, error) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (job, part)"
            " DO UPDATE SET state = excluded.state, created_at = excluded.created_at,"
            " next_at = excluded.next_at, error = excluded.error",
            BIND(V(id), V(job), V(s->key_id), V(s->part), V(host), V(s->state), V(s->created_at),
                 V(s->next_at), V(error)),
            err);

        if (!r)
            return -1;
    }
    return 0;
}

static int store_postgres_shipment_claim(struct store *store, int64_t now, int64_t until,
                                         struct store_shipment *shipment, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db, SELECT "platen.shipment_claim($1, $2, $3)",
                         BIND(V(now), V(until), V(STORE_SHIPMENT_WIDTH)), err);

    if (!r || PQntuples(r) == 0)
        return r ? 0 : -1;
    read_shipment(r, 0, shipment);
    return 1;
}

static int store_postgres_shipment_renew(struct store *store, const struct store_shipment *shipment,
                                         int64_t until, struct err *err)
{
    const char *id = shipment->id;
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "UPDATE platen.shipments SET next_at = $3 WHERE id = $1"
                         " AND attempts = $2 AND state = 1 RETURNING 1",
                         BIND(V(id), V(shipment->attempts), V(until)), err);

    return r ? PQntuples(r) : -1;
}

static int store_postgres_shipment_settle(struct store *store,
                                          const struct store_shipment *shipment, int64_t now,
                                          struct err *err)
{
    const struct store_shipment *s = shipment;
    const char *id = s->id, *error = s->error, *call;
    char new_id[ID_TEXT];
    int64_t settled;

    id_new(new_id);
    call = new_id;
    if (postgres_db_number(
            store_postgres_of(store)->db,
            "SELECT platen.shipment_settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            BIND(V(id), V(s->attempts), V(s->state), V(s->next_at), V(s->last_at),
                 V(s->duration_ms), V(s->http_status), V(error), V(now), V(call),
                 V(STORE_HOST_WIDTH), V(STORE_ACCOUNT_WIDTH)),
            &settled, err) < 0)
        return -1;
    return (int) settled;
}

static int store_postgres_shipment_next(struct store *store, int64_t *next_at, struct err *err)
{
    return postgres_db_number(store_postgres_of(store)->db,
                              "SELECT min(next_at) FROM platen.shipments WHERE state < 2", NULL, 0,
                              next_at, err);
}

/* Claims of other servers hold; those of this one end by themselves. */
static int store_postgres_shipment_reclaim(struct store *store, int64_t now, struct err *err)
{
    (void) store;
    (void) now;
    (void) err;
    return 0;
}

static int store_postgres_shipment_list(struct store *store, const char *job_id,
                                        struct store_shipments *shipments, struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db, SELECT "platen.shipments WHERE job = $1 ORDER BY part",
        BIND(V(job_id)), err);
    struct store_shipment one;

    *shipments = (struct store_shipments){ 0 };
    for (int i = 0; r && i < PQntuples(r); i++) {
        read_shipment(r, i, &one);
        if (store_shipments_add(shipments, &one, err) < 0)
            return -1;
    }
    return r ? 0 : -1;
}

const struct store_shipment_ops store_postgres_shipments = {
    .put = store_postgres_shipment_put,
    .claim = store_postgres_shipment_claim,
    .renew = store_postgres_shipment_renew,
    .settle = store_postgres_shipment_settle,
    .next = store_postgres_shipment_next,
    .reclaim = store_postgres_shipment_reclaim,
    .list = store_postgres_shipment_list,
};
