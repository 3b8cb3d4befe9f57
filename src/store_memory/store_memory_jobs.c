/* The store in memory: jobs from accepted to forgotten. */
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "store_memory/store_memory.h"

static struct replay *replay_of(struct memory *m, int64_t account, const char *key)
{
    for (size_t i = 0; key && i < m->n_replays; i++)
        if (m->replays[i].account == account && strcmp(m->replays[i].key, key) == 0)
            return &m->replays[i];
    return NULL;
}

static void forget_replay(struct replay *replay)
{
    free(replay->key);
    free(replay->fingerprint);
}

static int remember(struct memory *m, const struct job *job, const struct store_terms *terms,
                    struct err *err)
{
    struct replay *list = memory_room(m->replays, m->n_replays, sizeof *list, err), replay;

    if (!list)
        return -1;
    m->replays = list;
    replay = (struct replay){ job->key_id, job->created_at, strdup(terms->idempotency_key),
                              strdup(terms->fingerprint) };
    if (!replay.key || !replay.fingerprint) {
        forget_replay(&replay);
        return err_set(err, ERR_INTERNAL, "out of memory");
    }
    memcpy(replay.job_id, job->id, ID_TEXT);
    list[m->n_replays++] = replay;
    return 0;
}

/* The part of a job that store_put stores. */
static struct job fresh(const struct job *job)
{
    struct job new = *job;

    new.state = JOB_PENDING;
    new.started_at = new.finished_at = new.expires_at = new.lease_until = 0;
    new.attempt = 0;
    new.in_store = 0;
    new.spared = 0;
    new.progress = 0;
    new.output_bytes = new.duration_ms = 0;
    new.output_name = new.outputs_json = new.warnings_json = new.error = new.message = NULL;
    new.error_field = NULL;
    return new;
}

static int64_t unfinished(const struct memory *m, int64_t account)
{
    int64_t n = 0;

    for (size_t i = 0; i < m->n_jobs; i++)
        n += m->jobs[i].job.key_id == account && m->jobs[i].job.state <= JOB_RUNNING;
    return n;
}

/* Fills a new record. -1 without memory, and nothing is in it. */
static int add(struct record *r, const struct job *new, const struct store_terms *terms,
               struct err *err)
{
    *r = (struct record){ .inputs = BUF_EMPTY, .result = BUF_EMPTY };
    if (terms->inputs)
        buf_put(&r->inputs, terms->inputs, (size_t) new->input_bytes);
    if (r->inputs.failed || job_copy(&r->job, new, err) < 0) {
        memory_drop_files(r);
        return err_set(err, ERR_INTERNAL, "out of memory");
    }
    r->job.in_store = terms->inputs ? JOB_HAS_INPUTS : 0;
    return 0;
}

int store_memory_put(struct store *store, const struct job *job, const struct store_terms *terms,
                     struct store_receipt *receipt, struct err *err)
{
    LOCKED *m = memory_enter(store);
    const struct replay *seen = replay_of(m, job->key_id, terms->idempotency_key);
    const struct job new = fresh(job);
    struct record *list;
    struct count *count;

    if (job->key_id < 1 || job->key_id > m->n_accounts)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    if (seen && store_compare(seen->fingerprint, terms, err) < 0)
        return -1;
    if (!(count = memory_count(m, job->key_id, terms->month, err)))
        return -1;
    if (seen) {
        *receipt = (struct store_receipt){ .replayed = true, .usage = count->usage };
        memcpy(receipt->job_id, seen->job_id, ID_TEXT);
        return 0;
    }
    if (store_rules_check(terms, &count->usage, unfinished(m, job->key_id), job_counted_bytes(job),
                          err) < 0)
        return -1;
    if (memory_find(m, job->id))
        return err_set(err, ERR_INTERNAL, "the job is there already");
    if (!(list = memory_room(m->jobs, m->n_jobs, sizeof *list, err)))
        return -1;
    m->jobs = list;
    if (add(&list[m->n_jobs], &new, terms, err) < 0)
        return -1;
    if (terms->idempotency_key && remember(m, job, terms, err) < 0) {
        job_free(&list[m->n_jobs].job);
        memory_drop_files(&list[m->n_jobs]);
        return -1;
    }
    list[m->n_jobs++].month = terms->month;
    count->usage.requests++;
    count->usage.bytes += job_counted_bytes(job);
    *receipt = (struct store_receipt){ .usage = count->usage };
    memcpy(receipt->job_id, job->id, ID_TEXT);
    return 0;
}

int store_memory_find(struct store *store, const char *id, struct job *job, struct err *err)
{
    LOCKED *m = memory_enter(store);
    const struct record *r = memory_find(m, id);

    if (!r)
        return 0;
    return job_copy(job, &r->job, err) < 0 ? -1 : 1;
}

int store_memory_files(struct store *store, const char *id, int which, struct buf *out,
                       struct err *err)
{
    LOCKED *m = memory_enter(store);
    const struct record *r = memory_find(m, id);
    const struct buf *files;

    if (!r || !(r->job.in_store & which))
        return 0;
    files = which == JOB_HAS_INPUTS ? &r->inputs : &r->result;
    buf_put(out, files->data, files->len);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 1;
}

static bool is_asked_for(const struct job *job, const struct store_page *page)
{
    return (!page->client_ref ||
            (job->client_ref && strcmp(job->client_ref, page->client_ref) == 0)) &&
           (!page->tool || strcmp(job->tool, page->tool) == 0) && job->created_at >= page->after &&
           (!page->until || job->created_at < page->until);
}

/* The newest job that store_list may show after the job `before`. */
static const struct job *next_older(const struct memory *m, int64_t key_id, const char *before,
                                    const struct store_page *page)
{
    int states = store_states_of(page->status);
    const struct job *next = NULL;

    for (size_t i = 0; i < m->n_jobs; i++) {
        const struct job *job = &m->jobs[i].job;

        if (job->key_id == key_id && (states >> job->state & 1) && is_asked_for(job, page) &&
            (!before || strcmp(job->id, before) < 0) && (!next || strcmp(job->id, next->id) > 0))
            next = job;
    }
    return next;
}

static int append(struct store_jobs *jobs, const struct job *job, struct err *err)
{
    struct job *list = memory_room(jobs->list, jobs->n, sizeof *list, err);

    if (!list)
        return -1;
    jobs->list = list;
    if (job_copy(&list[jobs->n], job, err) < 0)
        return -1;
    jobs->n++;
    return 0;
}

int store_memory_list(struct store *store, int64_t key_id, const struct store_page *page,
                      struct store_jobs *jobs, struct err *err)
{
    AUTO_STORE_JOBS struct store_jobs found = { 0 };
    LOCKED *m = memory_enter(store);
    const char *before = page->before;
    const struct job *job;

    while (found.n < page->limit && (job = next_older(m, key_id, before, page))) {
        if (append(&found, job, err) < 0)
            return -1;
        before = job->id;
    }
    *jobs = found;
    found = (struct store_jobs){ 0 };
    return 0;
}

int store_memory_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                        struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct record *r = memory_find(m, id);

    if (!r || r->job.key_id != key_id || r->job.state == JOB_EXPIRED)
        return 0;
    if (job_copy(job, &r->job, err) < 0)
        return -1;
    if (r->job.started_at == 0)
        memory_refund(m, r);
    for (size_t i = 0; i < m->n_replays; i++)
        if (strcmp(m->replays[i].job_id, id) == 0)
            *m->replays[i].fingerprint = '\0';
    memory_drop(m, r);
    return 1;
}

int store_memory_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                        struct err *err)
{
    AUTO_STORE_JOBS struct store_jobs found = { 0 };
    LOCKED *m = memory_enter(store);

    for (size_t i = 0; i < m->n_jobs && found.n < limit; i++) {
        const struct job *job = &m->jobs[i].job;

        if (!job_may_move(job->state, JOB_EXPIRED) || job->expires_at > now)
            continue;
        if (append(&found, job, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < found.n; i++) {
        struct record *r = memory_find(m, found.list[i].id);

        if (memory_move(r, JOB_EXPIRED, err) < 0)
            return -1;
        memory_delivery_drop(m, r->job.id);
        job_erase(&r->job);
        memory_drop_files(r);
        job_erase(&found.list[i]);
        found.list[i].state = JOB_EXPIRED;
    }
    *jobs = found;
    found = (struct store_jobs){ 0 };
    return 0;
}

int store_memory_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                        struct err *err)
{
    LOCKED *m = memory_enter(store);

    (void) err;
    for (size_t i = m->n_jobs; i-- > 0;)
        if (m->jobs[i].job.state == JOB_EXPIRED && m->jobs[i].job.expires_at < expired_before)
            memory_drop(m, &m->jobs[i]);
    for (size_t i = m->n_replays; i-- > 0;)
        if (m->replays[i].created_at < idempotency_before) {
            forget_replay(&m->replays[i]);
            m->replays[i] = m->replays[--m->n_replays];
        }
    return 0;
}
