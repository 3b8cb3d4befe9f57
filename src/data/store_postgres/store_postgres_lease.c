/* The store in PostgreSQL: claims and leases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/scope.h"
#include "data/store/store_rules.h"
#include "data/store_postgres/store_postgres_parts.h"

/* The arguments and result of one of several claims in a transaction. Those of one server have the
 * same lease, and meet within milliseconds: time and lease of the first count for all. */
struct claim {
    int64_t now, lease_ms;
    const struct store_choice *choice; /* of the first counts for all */
    struct job *job;
    int got;
};

void store_postgres_claim_batch(void *store, struct postgres_member *members)
{
    struct store_postgres *s = store;
    const struct claim *first = members->own;
    AUTO_BUF struct buf passed = BUF_EMPTY;
    int64_t most = 0;
    struct err err;
    int row = 0;

    for (const struct postgres_member *m = members; m; m = m->next)
        most++;
    buf_puts(&passed, "{");
    for (size_t i = 0; first->choice && i < first->choice->n_passed; i++)
        buf_printf(&passed, "%s%lld", i ? "," : "", (long long) first->choice->passed[i]);
    buf_puts(&passed, "}");
    AUTO_RESULT PGresult *r =
        postgres_db_call(s->db, "SELECT * FROM platen.claim($1, $2, $3, $4, $5, $6, $7)",
                         BIND(V((const char *) s->node), V(first->now), V(first->lease_ms), V(most),
                              V((const char *) s->tools), V(buf_text(&passed)),
                              V(first->choice && first->choice->brief)),
                         &err);
    for (struct postgres_member *m = members; m; m = m->next) {
        struct claim *claim = m->own;

        m->err = err;
        claim->got = -1;
        if (r)
            claim->got = row < PQntuples(r) ? 1 : 0;
        if (claim->got == 1 && postgres_job_read(r, row++, claim->job, &m->err) < 0)
            claim->got = -1;
    }
}

int store_postgres_claim(struct store *store, int64_t now, int64_t lease_ms,
                         const struct store_choice *choice, struct job *job, struct err *err)
{
    struct claim claim = { now, lease_ms, choice, job, -1 };
    struct postgres_member member = { .own = &claim };

    if (choice) /* seldom, and not what the others of a group want */
        store_postgres_claim_batch(store_postgres_of(store), &member);
    else
        postgres_group_call(store_postgres_of(store)->claims, &member);
    if (claim.got < 0)
        *err = member.err;
    return claim.got;
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
    const struct postgres_value values[] = { V((const char *) s->node),
                                             V(id),
                                             V(attempt),
                                             V(half.state),
                                             V(half.finished_at),
                                             V(half.expires_at),
                                             V(half.duration_ms),
                                             V(half.output_bytes),
                                             V(half.output_name),
                                             V(half.outputs_json),
                                             V(half.warnings_json),
                                             V(failed ? err_name(half.code) : NULL),
                                             V(half.message),
                                             V(half.field),
                                             V(failed && job_is_refunded(half.code) &&
                                               !half.charged),
                                             postgres_value_bytes(half.result, half.output_bytes),
                                             V((const char *) call),
                                             V(STORE_HOST_WIDTH),
                                             V(STORE_ACCOUNT_WIDTH) };
    struct postgres_member member = { .values = values, .n_values = COUNT(values) };

    postgres_group_call(s->ends, &member);
    AUTO_RESULT PGresult *r = member.result;
    if (!r)
        *err = member.err;
    return r ? (int) postgres_integer(r, 0, 0) : -1;
}

int store_postgres_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                           bool spared, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);

    return done(s, "SELECT platen.release($1, $2, $3, $4, $5)",
                BIND(V((const char *) s->node), V(id), V(attempt), V(run_at), V(spared)), err);
}

int store_postgres_fetched(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                           int64_t bytes, const char *inputs_json, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);

    return done(
        s, "SELECT platen.fetched($1, $2, $3, $4, $5, $6)",
        BIND(V((const char *) s->node), V(id), V(attempt), V(run_at), V(bytes), V(inputs_json)),
        err);
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

int store_postgres_limit(struct store *store, const char *const *tools, size_t n, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);
    AUTO_BUF struct buf list = BUF_EMPTY;

    for (size_t i = 0; i < n; i++)
        buf_printf(&list, "%c%s", i ? ',' : '{', tools[i]);
    if (n)
        buf_putc(&list, '}');
    if (list.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    free(s->tools);
    s->tools = n ? buf_take(&list) : NULL;
    return 0;
}

/* The jobs that a server holds, as three arrays of PostgreSQL. */
static int write_held(const struct store_held *held, size_t n, struct buf lists[static 3],
                      struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        buf_printf(&lists[0], "%c%s", i ? ',' : '{', held[i].id);
        buf_printf(&lists[1], "%c%d", i ? ',' : '{', held[i].attempt);
        buf_printf(&lists[2], "%c%.4f", i ? ',' : '{', held[i].progress);
    }
    for (int k = 0; k < 3; k++) {
        buf_puts(&lists[k], n ? "}" : "{}");
        if (lists[k].failed)
            return err_set(err, ERR_INTERNAL, "out of memory");
    }
    return 0;
}

static int sweep(struct store_postgres *s, int64_t now, struct err *err)
{
    return done(s, "SELECT platen.sweep($1, $2, $3, $4, $5)",
                BIND(V((const char *) s->node), V(now), V(now + STORE_AHEAD_MS),
                     V(STORE_HOST_WIDTH), V(STORE_ACCOUNT_WIDTH)),
                err);
}

/* The columns of platen.beat. */
enum { NOW, DUE, SWEEP, OTHERS, PENDING, LOST };

int store_postgres_beat(struct store *store, int64_t lease_ms, unsigned roles,
                        struct store_held *held, size_t n, struct store_pulse *pulse,
                        struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);
    AUTO_BUF struct buf ids = BUF_EMPTY, attempts = BUF_EMPTY, progress = BUF_EMPTY;
    struct buf lists[3] = { ids, attempts, progress };
    /* A server of before roles passes 0 or 1, and answers the API. */
    int does = (roles & STORE_WORKS ? 1 : 0) | (roles & STORE_SERVES ? 0 : 2);
    int64_t before = clock_system_ms();
    int written = write_held(held, n, lists, err);

    ids = lists[0], attempts = lists[1], progress = lists[2];
    if (written < 0)
        return -1;
    AUTO_RESULT PGresult *r =
        postgres_db_call(s->db, "SELECT * FROM platen.beat($1, $2, $3, $4, $5, $6, $7, $8)",
                         BIND(V((const char *) s->node), V((const char *) s->host), V(lease_ms),
                              V(does), V((const char *) s->tools), V(buf_text(&ids)),
                              V(buf_text(&attempts)), V(buf_text(&progress))),
                         err);
    if (!r)
        return -1;
    store_postgres_follow_clock(before, postgres_integer(r, 0, NOW), clock_system_ms());
    const char *lost = postgres_text(r, 0, LOST);
    for (size_t i = 0; i < n; i++)
        held[i].lost = lost && strstr(lost, held[i].id);
    *pulse = (struct store_pulse){ .pending = postgres_integer(r, 0, PENDING),
                                   .due = postgres_integer(r, 0, DUE) != 0,
                                   .chosen = postgres_integer(r, 0, SWEEP) != 0,
                                   .alone = postgres_integer(r, 0, OTHERS) == 0,
                                   .others = postgres_integer(r, 0, OTHERS) };
    atomic_store(&s->alone, pulse->alone);
    if (pulse->chosen)
        pulse->reclaimed = sweep(s, postgres_integer(r, 0, NOW), err);
    return pulse->reclaimed < 0 ? -1 : 0;
}
