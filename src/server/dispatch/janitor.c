#include "server/dispatch/janitor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "data/blob/blob_name.h"
#include "data/store/store_shipments.h"
#include "server/dispatch/intake.h"
#include "server/dispatch/result.h"
#include "server/dispatch/upload_files.h"

#define ROUND_MS        1000
#define THOROUGH_ROUNDS 60
#define EXPIRE_BATCH    200
#define VISITOR_ROUNDS  600
#define ORPHAN_MS       (3600LL * 1000)      /* between two searches for orphans */
#define UPLOAD_MS       (24LL * 3600 * 1000) /* longer than any upload takes */
#define IDEMPOTENCY_MS  (24LL * 3600 * 1000) /* as docs/guide.md says */

struct janitor {
    struct janitor_config config;
    int64_t started_at;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t wake;
    bool ending;
};

/* Whether something was expired. */
static bool expire(const struct janitor_config *config, int64_t now)
{
    bool any = false;
    struct err err;

    for (;;) {
        AUTO_STORE_JOBS struct store_jobs jobs = { 0 };

        if (store_expire(config->store, now, EXPIRE_BATCH, &jobs, &err) < 0) {
            log_error("janitor.expire_failed", KV("why", err.msg));
            return any;
        }
        for (size_t i = 0; i < jobs.n; i++)
            intake_discard(config->blobs, &jobs.list[i], false);
        if (jobs.n)
            log_info("janitor.expired", KV("jobs", jobs.n));
        any = any || jobs.n;
        if (jobs.n < EXPIRE_BATCH)
            return any;
    }
}

#define VISITOR "visitor" /* the plan of visitors (server/api_call/visitors.h) */

/* Erases accounts of visitors whose session has ended, once nothing of theirs is under way. */
static void remove_visitors(const struct janitor_config *config, int64_t now)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    struct key gone;
    struct err err;
    size_t n = 0;

    if (store_key_list(config->store, &keys, &err) < 0) {
        log_error("janitor.visitors_failed", KV("why", err.msg));
        return;
    }
    for (size_t i = 0; i < keys.n; i++)
        if (strcmp(keys.list[i].plan, VISITOR) == 0 && keys.list[i].valid_until &&
            keys.list[i].valid_until <= now)
            n += store_key_remove(config->store, keys.list[i].prefix, now, &gone, &err) == 1;
    if (n)
        log_info("janitor.visitors", KV("removed", n));
}

/* The same for uploads. */
static bool expire_uploads(const struct janitor_config *config, int64_t now)
{
    AUTO_UPLOADS struct store_uploads uploads = { 0 };
    struct err err;

    if (store_upload_expire(config->store, now, EXPIRE_BATCH, &uploads, &err) < 0)
        log_error("janitor.expire_failed", KV("why", err.msg));
    for (size_t i = 0; i < uploads.n; i++)
        upload_files_discard(config->blobs, &uploads.list[i]);
    if (uploads.n)
        log_info("janitor.expired", KV("uploads", uploads.n));
    return uploads.n > 0;
}

/* Renews leases and puts back what was lost, where no pulse does it. */
static void keep_leases(const struct janitor_config *config, int64_t now)
{
    int64_t pending, running;
    struct err err;
    int n;

    if (config->dispatcher)
        dispatcher_keep_leases(config->dispatcher);
    n = store_reclaim(config->store, now, &err);
    if (n < 0)
        log_error("janitor.reclaim_failed", KV("why", err.msg));
    if (n > 0) {
        log_warn("janitor.reclaimed", KV("jobs", n));
        if (config->dispatcher)
            dispatcher_wake(config->dispatcher);
    }
    if (config->pending && store_depth(config->store, &pending, &running, &err) == 0)
        atomic_store(config->pending, pending);
}

/* `thorough`: also what may wait for a minute. */
static void sweep(const struct janitor_config *config, bool thorough)
{
    int64_t now = clock_wall_ms();
    struct err err;
    int left;

    if (!config->pulse)
        keep_leases(config, now);
    /* Forgetting also takes what was erased out of the store's log. */
    if (config->removed && !config->pulse)
        thorough = atomic_exchange(config->removed, false) || thorough;
    bool expired = expire(config, now);
    if (!expire_uploads(config, now) && !expired && !thorough)
        return;
    left = store_forget(config->store, now - IDEMPOTENCY_MS, now - config->tombstone_ms, &err);
    if (left < 0)
        log_error("janitor.forget_failed", KV("why", err.msg));
    if (left != 0 && config->removed && !config->pulse)
        atomic_store(config->removed, true); /* again in the next round */
}

void janitor_sweep(const struct janitor_config *config)
{
    sweep(config, true);
}

struct collecting {
    const struct janitor_config *config;
    char before[ID_TEXT]; /* ids are ordered by time */
    size_t n;
};

/* Whether the result of a completed job is still to be sent somewhere. */
static bool is_shipped_later(const struct janitor_config *config, const struct job *job)
{
    AUTO_SHIPMENTS struct store_shipments all = { 0 };
    struct err err;

    if (job->state != JOB_COMPLETED || store_shipment_list(config->store, job->id, &all, &err) < 0)
        return job->state == JOB_COMPLETED;
    for (size_t i = 0; i < all.n; i++)
        if (all.list[i].state < SHIPMENT_DONE)
            return true;
    return false;
}

/* Whether a job still needs its blob of this name. */
static bool is_needed(const struct janitor_config *config, const struct job *job, const char *name)
{
    char result[BLOB_NAME];

    if (job->state == JOB_PENDING || job->state == JOB_RUNNING)
        return !blob_name_is_result(name);
    if (strcmp(name, BLOB_NAME_ADDRESSES) == 0)
        return is_shipped_later(config, job);
    blob_name_result(job->attempt, result);
    return job->state == JOB_COMPLETED && strcmp(name, result) == 0;
}

/* Of an upload. */
static void check_upload(struct collecting *collecting, const char *id, const char *name)
{
    AUTO_UPLOAD struct store_upload upload = { 0 };
    struct err err;
    int found = store_upload_find(collecting->config->store, id, &upload, &err);

    if (found < 0 || (found > 0 && upload_files_needs(&upload, name)))
        return;
    blob_remove(collecting->config->blobs, id, name);
    collecting->n++;
}

static void check_blob(void *arg, const char *job_id, const char *name)
{
    struct collecting *collecting = arg;
    AUTO_JOB struct job job = { 0 };
    struct err err;
    int found;

    if (strcmp(job_id, collecting->before) >= 0)
        return;
    if (upload_files_is(name)) {
        check_upload(collecting, job_id, name);
        return;
    }
    found = store_find(collecting->config->store, job_id, &job, &err);
    /* A result that is being published now belongs to a running job: leave it. */
    if (found < 0 ||
        (found > 0 && (job.state == JOB_RUNNING || is_needed(collecting->config, &job, name))))
        return;
    blob_remove(collecting->config->blobs, job_id, name);
    collecting->n++;
}

void janitor_collect_orphans(const struct janitor_config *config, int64_t before)
{
    struct collecting collecting = { .config = config };
    struct err err;

    snprintf(collecting.before, sizeof collecting.before, "%08x-%04x-7",
             (unsigned) (before >> 16 & 0xffffffff), (unsigned) (before & 0xffff));
    if (blob_each(config->blobs, check_blob, &collecting, &err) < 0)
        log_error("janitor.orphans_failed", KV("why", err.msg));
    if (collecting.n)
        log_info("janitor.orphans", KV("files", collecting.n));
}

/* Servers that share files have their rounds in execution, and none may live for long: whoever has
 * one as an hour begins, by the clock that all follow, searches. */
static bool is_hour_beginning(int64_t now)
{
    return now % ORPHAN_MS < 3LL * ROUND_MS;
}

/* Of several servers only the one that is chosen has a round, about one a second in all. */
static void do_round(const struct janitor_config *config, unsigned *round)
{
    if (config->pulse && !pulse_is_chosen(config->pulse))
        return;
    /* A server that was lost leaves files to those that go on. Another server may be taking an
     * upload that began long ago. */
    if (config->pulse && is_hour_beginning(clock_wall_ms()))
        janitor_collect_orphans(config, clock_wall_ms() - UPLOAD_MS);
    if (*round % VISITOR_ROUNDS == 0)
        remove_visitors(config, clock_wall_ms());
    sweep(config, (*round)++ % THOROUGH_ROUNDS == 0);
}

static void *keep_house(void *arg)
{
    struct janitor *janitor = arg;
    unsigned round = 0;

    if (!janitor->config.pulse)
        janitor_collect_orphans(&janitor->config, janitor->started_at);
    pthread_mutex_lock(&janitor->lock);
    while (!janitor->ending) {
        const struct janitor_config config = janitor->config;

        pthread_mutex_unlock(&janitor->lock);
        do_round(&config, &round);
        pthread_mutex_lock(&janitor->lock);
        if (!janitor->ending)
            thread_cond_wait_ms(&janitor->wake, &janitor->lock, ROUND_MS);
    }
    pthread_mutex_unlock(&janitor->lock);
    return NULL;
}

struct janitor *janitor_new(const struct janitor_config *config, struct err *err)
{
    struct janitor *janitor = calloc(1, sizeof *janitor);

    if (!janitor) {
        err_sys(err, "janitor");
        return NULL;
    }
    janitor->config = *config;
    janitor->started_at = clock_wall_ms();
    pthread_mutex_init(&janitor->lock, NULL);
    thread_cond_init(&janitor->wake);
    if (thread_start(&janitor->thread, "janitor", keep_house, janitor, err) < 0) {
        free(janitor);
        return NULL;
    }
    return janitor;
}

void janitor_change(struct janitor *janitor, int64_t tombstone_ms)
{
    pthread_mutex_lock(&janitor->lock);
    janitor->config.tombstone_ms = tombstone_ms;
    pthread_mutex_unlock(&janitor->lock);
}

void janitor_stop(struct janitor *janitor)
{
    if (!janitor)
        return;
    pthread_mutex_lock(&janitor->lock);
    janitor->ending = true;
    pthread_cond_signal(&janitor->wake);
    pthread_mutex_unlock(&janitor->lock);
    pthread_join(janitor->thread, NULL);
    pthread_mutex_destroy(&janitor->lock);
    pthread_cond_destroy(&janitor->wake);
    free(janitor);
}
