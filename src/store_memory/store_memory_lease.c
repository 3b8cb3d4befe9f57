/* The store in memory: claims and leases. */
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "store_memory/store_memory.h"

/* The job, if this claim of it still holds. */
static struct record *claimed(struct memory *m, const char *id, int32_t attempt)
{
    struct record *r = memory_find(m, id);

    return r && r->job.state == JOB_RUNNING && r->job.attempt == attempt ? r : NULL;
}

static bool waits_longer(const struct job *a, const struct job *b)
{
    return a->run_at != b->run_at ? a->run_at < b->run_at : strcmp(a->id, b->id) < 0;
}

/* The account's first job of a kind that may run now, or NULL. */
static struct record *first_of(struct memory *m, int64_t account, bool is_long, int64_t now)
{
    struct record *first = NULL;

    for (size_t i = 0; i < m->n_jobs; i++) {
        struct record *r = &m->jobs[i];

        if (r->job.key_id == account && r->job.state == JOB_PENDING && r->job.run_at <= now &&
            store_is_long(r->job.cost_ms) == is_long &&
            (!first || waits_longer(&r->job, &first->job)))
            first = r;
    }
    return first;
}

/* The account whose turn it is, 0 if no job may run. */
static int64_t find_turn(struct memory *m, int64_t now)
{
    int64_t next = 0;

    for (int64_t account = 1; account <= m->n_accounts; account++)
        if ((!next || m->shares[account - 1].turn < m->shares[next - 1].turn) &&
            (first_of(m, account, false, now) || first_of(m, account, true, now)))
            next = account;
    return next;
}

int store_memory_claim(struct store *store, int64_t now, int64_t lease_ms, struct job *job,
                       struct err *err)
{
    LOCKED *m = memory_enter(store);
    int64_t account = find_turn(m, now);
    struct record *brief, *lengthy, *next;
    struct store_share *share;
    struct job was;

    if (!account)
        return 0;
    share = &m->shares[account - 1];
    brief = first_of(m, account, false, now);
    lengthy = first_of(m, account, true, now);
    next = store_takes_long(share, brief, lengthy) ? lengthy : brief;
    was = next->job;
    if (memory_move(next, JOB_RUNNING, err) < 0)
        return -1;
    next->job.attempt++;
    next->job.lease_until = now + lease_ms;
    if (next->job.started_at == 0)
        next->job.started_at = now;
    if (job_copy(job, &next->job, err) < 0) {
        next->job = was;
        return -1;
    }
    store_charge(share, &m->clock, next->job.cost_ms, brief && lengthy);
    return 1;
}

int store_memory_heartbeat(struct store *store, const char *id, int32_t attempt,
                           int64_t lease_until, double progress, struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct record *r = claimed(m, id, attempt);

    (void) err;
    if (!r)
        return 0;
    r->job.lease_until = lease_until;
    r->job.progress = progress;
    return 1;
}

int store_memory_finish(struct store *store, const char *id, int32_t attempt,
                        const struct store_end *given, struct err *err)
{
    const struct store_end end = store_end_half(given);
    bool failed = end.state == JOB_FAILED;
    AUTO_JOB struct job texts = { 0 };
    AUTO_BUF struct buf result = BUF_EMPTY;
    LOCKED *m = memory_enter(store);
    struct record *r = claimed(m, id, attempt);

    if (!r)
        return 0;
    if (end.result)
        buf_put(&result, end.result, (size_t) end.output_bytes);
    if (!memory_copy_text(&texts.output_name, end.output_name) ||
        !memory_copy_text(&texts.outputs_json, end.outputs_json) ||
        !memory_copy_text(&texts.warnings_json, end.warnings_json) ||
        !memory_copy_text(&texts.message, end.message) ||
        !memory_copy_text(&texts.error_field, end.field) || result.failed ||
        !memory_copy_text(&texts.error, failed ? err_name(end.code) : NULL))
        return err_set(err, ERR_INTERNAL, "out of memory");
    r->job.finished_at = end.finished_at;
    if (store_memory_delivery_begin(m, &r->job, err) < 0 || memory_move(r, end.state, err) < 0)
        return -1;
    r->job.output_name = scope_take_ptr(&texts.output_name);
    r->job.outputs_json = scope_take_ptr(&texts.outputs_json);
    r->job.warnings_json = scope_take_ptr(&texts.warnings_json);
    r->job.error = scope_take_ptr(&texts.error);
    r->job.message = scope_take_ptr(&texts.message);
    r->job.error_field = scope_take_ptr(&texts.error_field);
    memory_drop_files(r);
    r->result = result;
    result.data = NULL; /* is the record's now */
    result.len = 0;
    r->job.in_store = end.result ? JOB_HAS_RESULT : 0;
    r->job.lease_until = 0;
    r->job.expires_at = end.expires_at;
    r->job.duration_ms = end.duration_ms;
    r->job.output_bytes = end.output_bytes;
    m->shares[r->job.key_id - 1].turn += end.duration_ms - r->job.cost_ms;
    if (!failed)
        r->job.progress = 1;
    else if (job_is_refunded(end.code))
        memory_refund(m, r);
    return 1;
}

static int put_back(struct record *r, int64_t run_at, struct err *err)
{
    if (memory_move(r, JOB_PENDING, err) < 0)
        return -1;
    r->job.run_at = run_at;
    r->job.lease_until = 0;
    r->job.progress = 0;
    return 0;
}

int store_memory_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                         bool spared, struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct record *r = claimed(m, id, attempt);

    if (!r)
        return 0;
    if (put_back(r, run_at, err) < 0)
        return -1;
    r->job.spared += spared;
    return 1;
}

int store_memory_reclaim(struct store *store, int64_t now, struct err *err)
{
    LOCKED *m = memory_enter(store);
    int n = 0;

    for (size_t i = 0; i < m->n_jobs; i++) {
        struct record *r = &m->jobs[i];

        if (r->job.state == JOB_PENDING && r->job.run_at - STORE_AHEAD_MS > now)
            r->job.run_at = now;
        if (r->job.state != JOB_RUNNING || r->job.lease_until >= now)
            continue;
        if (put_back(r, r->job.run_at, err) < 0)
            return -1;
        n++;
    }
    return n;
}
