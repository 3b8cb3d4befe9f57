/* The store in PostgreSQL: what a claimer does. */
#include <stdio.h>

#include "store/store_postgres.h"
#include "store/store_rules.h"

int store_postgres_claim(struct store *store, int64_t now, int64_t lease_ms, struct job *job,
                         struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);
    AUTO_RESULT PGresult *r =
        postgres_db_call(s->db, "SELECT * FROM platen.claim($1, $2, $3)",
                         BIND(V((const char *) s->node), V(now), V(lease_ms)), err);

    if (!r)
        return -1;
    if (PQntuples(r) == 0)
        return 0;
    return postgres_job_read(r, 0, job, err) < 0 ? -1 : 1;
}

/* A number that says how many jobs it was done to. */
static int done(struct store_postgres *s, const char *sql, const struct postgres_value *values,
                size_t n, struct err *err)
{
    int64_t changed;

    return postgres_db_number(s->db, sql, values, n, &changed, err) < 0 ? -1 : (int) changed;
}

int store_postgres_heartbeat(struct store *store, const char *id, int32_t attempt,
                             int64_t lease_until, double progress, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);

    return done(s, "SELECT platen.heartbeat($1, $2, $3, $4, $5)",
                BIND(V((const char *) s->node), V(id), V(attempt), V(lease_until), V(progress)),
                err);
}

int store_postgres_finish(struct store *store, const char *id, int32_t attempt,
                          const struct store_end *end, struct err *err)
{
    const struct store_end half = store_end_half(end);
    const bool failed = half.state == JOB_FAILED;
    struct store_postgres *s = store_postgres_of(store);
    char call[ID_TEXT];

    if (!job_may_move(JOB_RUNNING, half.state))
        return err_set(err, ERR_INTERNAL, "a running job cannot become %s", job_status(half.state));
    id_new(call);
    return done(s,
                "SELECT platen.finish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
                " $15, $16, $17, $18, $19)",
                BIND(V((const char *) s->node), V(id), V(attempt), V(half.state),
                     V(half.finished_at), V(half.expires_at), V(half.duration_ms),
                     V(half.output_bytes), V(half.output_name), V(half.outputs_json),
                     V(half.warnings_json), V(failed ? err_name(half.code) : NULL), V(half.message),
                     V(half.field), V(failed && job_is_refunded(half.code)),
                     postgres_value_bytes(half.result, half.output_bytes), V((const char *) call),
                     V(STORE_HOST_WIDTH), V(STORE_ACCOUNT_WIDTH)),
                err);
}

int store_postgres_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                           bool spared, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);

    return done(s, "SELECT platen.release($1, $2, $3, $4, $5)",
                BIND(V((const char *) s->node), V(id), V(attempt), V(run_at), V(spared)), err);
}

int store_postgres_reclaim(struct store *store, int64_t now, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);
    const bool ever = now > INT64_MAX - STORE_AHEAD_MS;
    char ahead[32];

    if (store_postgres_read_clock(s, err) < 0)
        return -1;
    snprintf(ahead, sizeof ahead, "%lld", (long long) (ever ? 0 : now + STORE_AHEAD_MS));
    return done(s, "SELECT platen.reclaim($1, $2, $3, $4, $5)",
                BIND(V((const char *) s->node), V(now), V(ever ? NULL : (const char *) ahead),
                     V(STORE_HOST_WIDTH), V(STORE_ACCOUNT_WIDTH)),
                err);
}
