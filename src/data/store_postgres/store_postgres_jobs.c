/* The store in PostgreSQL: jobs coming in, being looked at, and going. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "data/store/store_rules.h"
#include "data/store_postgres/store_postgres_parts.h"

#define FORGET_AT_ONCE 500 /* rows deleted in one transaction */

#define HOST(job, out)                                                                             \
    ((job)->callback_url ? (delivery_host((job)->callback_url, (out)), (const char *) (out)) : NULL)

/* The columns of platen.put. */
enum { VERDICT, JOB, REQUESTS, BYTES, UNFINISHED };

/* Converts the database's result to that of store.h. */
static int check_put(const PGresult *r, const struct job *job, const struct store_terms *terms,
                     struct store_receipt *receipt, struct err *err)
{
    const char *verdict = postgres_text(r, 0, VERDICT);
    const struct usage used = { postgres_integer(r, 0, REQUESTS), postgres_integer(r, 0, BYTES) };

    *receipt = (struct store_receipt){ .usage = used };
    if (strcmp(verdict, "account") == 0)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    if (strcmp(verdict, "conflict") == 0)
        return store_compare("other", &(struct store_terms){ .fingerprint = "" }, err);
    if (strcmp(verdict, "judge") == 0) {
        if (store_rules_check(terms, &used, postgres_integer(r, 0, UNFINISHED),
                              job_counted_bytes(job), err) < 0)
            return -1;
        return err_set(err, ERR_INTERNAL, "the database and the server disagree on a quota");
    }
    receipt->replayed = strcmp(verdict, "replay") == 0;
    snprintf(receipt->job_id, ID_TEXT, "%s", postgres_text(r, 0, JOB));
    return 0;
}

int store_postgres_put(struct store *store, const struct job *job, const struct store_terms *terms,
                       struct store_receipt *receipt, struct err *err)
{
    char host[DELIVERY_HOST], call[ID_TEXT];

    id_new(call);
    const struct postgres_value values[] = { V(job->id),
                                             V(job->key_id),
                                             V(terms->month),
                                             V(job->tool),
                                             V(store_is_long(job->cost_ms)),
                                             V(job->n_inputs),
                                             V(job->has_secret),
                                             V(job->input_bytes),
                                             V(job->reused_bytes),
                                             V(job->retention_ms),
                                             V(job->cost_ms),
                                             V(job->created_at),
                                             V(job->run_at),
                                             V(job->client_ref),
                                             V(job->callback_url),
                                             V(HOST(job, host)),
                                             V(job->callback_base),
                                             V(job->stem),
                                             V(job->params_json),
                                             V(job->inputs_json),
                                             V(terms->max_requests),
                                             V(terms->max_bytes),
                                             V(terms->max_unfinished),
                                             V(terms->idempotency_key),
                                             V(terms->fingerprint),
                                             postgres_value_bytes(terms->inputs, job->input_bytes),
                                             V((const char *) call) };
    struct postgres_member member = { .values = values, .n_values = COUNT(values) };

    postgres_group_call(store_postgres_of(store)->puts, &member);
    AUTO_RESULT PGresult *r = member.result;
    if (!r)
        *err = member.err;
    return r ? check_put(r, job, terms, receipt, err) : -1;
}

/* Reads the only row of a result. 1: read; 0: there is none; -1: an error, also for a NULL
 * result. */
static int read_one(const PGresult *r, struct job *job, struct err *err)
{
    if (!r)
        return -1;
    if (PQntuples(r) == 0)
        return 0;
    return postgres_job_read(r, 0, job, err) < 0 ? -1 : 1;
}

static int read_jobs(const PGresult *r, struct store_jobs *jobs, struct err *err)
{
    AUTO_STORE_JOBS struct store_jobs found = { 0 };
    int n = r ? PQntuples(r) : 0;

    if (!r)
        return -1;
    if (n > 0 && !(found.list = calloc((size_t) n, sizeof *found.list)))
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (int i = 0; i < n; i++, found.n++)
        if (postgres_job_read(r, i, &found.list[i], err) < 0)
            return -1;
    *jobs = found;
    found = (struct store_jobs){ 0 };
    return 0;
}

int store_postgres_find(struct store *store, const char *id, struct job *job, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db, "SELECT * FROM platen.job_row WHERE id = $1",
                         BIND(V(id)), err);

    return read_one(r, job, err);
}

int store_postgres_files(struct store *store, const char *id, int which, struct buf *out,
                         struct err *err)
{
    const char *sql = which == JOB_HAS_INPUTS
                          ? "SELECT f.bytes FROM platen.jobs j JOIN platen.job_inputs f"
                            " ON f.row = j.row WHERE j.id = $1"
                          : "SELECT f.bytes FROM platen.jobs j JOIN platen.job_results f"
                            " ON f.row = j.row WHERE j.id = $1";
    AUTO_RESULT PGresult *r =
        postgres_db_call_bytes(store_postgres_of(store)->db, sql, BIND(V(id)), err);

    if (!r)
        return -1;
    if (PQntuples(r) == 0)
        return 0;
    buf_put(out, PQgetvalue(r, 0, 0), (size_t) PQgetlength(r, 0, 0));
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 1;
}

int store_postgres_list(struct store *store, int64_t key_id, const struct store_page *page,
                        struct store_jobs *jobs, struct err *err)
{
    /* "~" comes after every id. */
    const char *before = page->before ? page->before : "~";
    int64_t until = page->until ? page->until : INT64_MAX;
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db,
        "SELECT r.* FROM platen.jobs l JOIN platen.job_row r ON r.row = l.row"
        " WHERE l.account = $1 AND l.id < $2 AND l.state < 4 AND ($3::int >> r.state) & 1 = 1"
        " AND l.created_at >= $4 AND l.created_at < $5 AND ($6::text IS NULL OR l.tool = $6)"
        " AND ($7::text IS NULL OR l.client_ref = $7) ORDER BY l.id DESC LIMIT $8",
        BIND(V(key_id), V(before), V(store_states_of(page->status)), V(page->after), V(until),
             V(page->tool), V(page->client_ref), V((int64_t) page->limit)),
        err);

    return read_jobs(r, jobs, err);
}

int store_postgres_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                          struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db, "SELECT * FROM platen.remove($1, $2, $3, $4)",
        BIND(V(id), V(key_id), V(STORE_HOST_WIDTH), V(STORE_ACCOUNT_WIDTH)), err);

    return read_one(r, job, err);
}

int store_postgres_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                          struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db, "SELECT * FROM platen.expire($1, $2, $3, $4)",
        BIND(V(now), V((int64_t) limit), V(STORE_HOST_WIDTH), V(STORE_ACCOUNT_WIDTH)), err);

    if (read_jobs(r, jobs, err) < 0)
        return -1;
    for (size_t i = 0; i < jobs->n; i++) {
        job_erase(&jobs->list[i]);
        jobs->list[i].state = JOB_EXPIRED;
    }
    return 0;
}

int store_postgres_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                          struct err *err)
{
    int64_t n;

    do
        if (postgres_db_number(store_postgres_of(store)->db, "SELECT platen.forget($1, $2, $3)",
                               BIND(V(idempotency_before), V(expired_before), V(FORGET_AT_ONCE)),
                               &n, err) < 0)
            return -1;
    while (n > 0);
    return 0;
}

int store_postgres_depth(struct store *store, int64_t *pending, int64_t *running, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "SELECT sum(pending), sum(running) FROM platen.accounts", NULL, 0, err);

    if (!r)
        return -1;
    *pending = postgres_integer(r, 0, 0);
    *running = postgres_integer(r, 0, 1);
    return 0;
}

int store_postgres_oldest(struct store *store, int64_t *created_at, struct err *err)
{
    return postgres_db_number(
        store_postgres_of(store)->db,
        "SELECT min(first.created_at) FROM platen.accounts a, (VALUES (0), (1)) kinds(long),"
        " LATERAL (SELECT q.created_at FROM platen.queue q WHERE q.state = 0 AND q.account = a.id"
        "   AND q.long = kinds.long"
        "   AND q.run_at >= CASE kinds.long WHEN 0 THEN a.low_brief ELSE a.low_lengthy END"
        "   ORDER BY q.run_at, q.id LIMIT 1) first WHERE a.pending > 0",
        NULL, 0, created_at, err);
}

/* The ids as one text, as PostgreSQL reads an array: nothing in them needs quotes. */
static void join_ids(const char ids[][ID_TEXT], size_t n, struct buf *out)
{
    buf_putc(out, '{');
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? "," : "", ids[i]);
    buf_putc(out, '}');
}

int store_postgres_watch(struct store *store, const char ids[][ID_TEXT], size_t n,
                         struct store_news *news, struct err *err)
{
    AUTO_BUF struct buf list = BUF_EMPTY;

    join_ids(ids, n, &list);
    if (list.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    /* A job has ended when it is not in the queue any more. */
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "SELECT q.attempt, q.progress, q.row IS NULL FROM unnest($1::text[]) WITH "
                         "ORDINALITY w(id, n)"
                         " LEFT JOIN platen.queue q ON q.id = w.id COLLATE \"C\" ORDER BY w.n",
                         BIND(V(buf_text(&list))), err);

    if (!r)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *progress = postgres_text(r, (int) i, 1);

        news[i].attempt = (int32_t) postgres_integer(r, (int) i, 0);
        news[i].progress = progress ? strtod(progress, NULL) : 0;
        news[i].over = *postgres_text(r, (int) i, 2) == 't';
    }
    return 0;
}
