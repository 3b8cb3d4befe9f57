#include "data/store/store.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"

/* Measures the time of an operation, including its wait for the disk, and whether it failed for
 * a reason that operators care about. */
static int timed(const char *operation, int64_t began, int result, const struct err *err)
{
    metric_observe(METRIC_STORE_SECONDS, operation, (double) (clock_mono_us() - began) / 1e6);
    if (result < 0 && (err->code == ERR_INTERNAL || err->code == ERR_STORAGE_FULL))
        metric_add(METRIC_STORE_ERRORS, operation, 1);
    return result;
}

void store_count_from_zero(void)
{
    static const char *const operations[] = {
        "put",           "claim",         "heartbeat",      "finish",          "fetched",
        "release",       "reclaim",       "find",           "files",           "list",
        "remove",        "expire",        "forget",         "depth",           "oldest",
        "key_add",       "key_find",      "key_list",       "key_end",         "key_move",
        "key_remove",    "usage",         "delivery_claim", "delivery_settle", "delivery_reclaim",
        "delivery_next", "delivery_list", "delivery_page",  "delivery_again",  "secret_list",
        "secret_add",    "watch",         "nodes",          "share",           "permit",
        "beat"
    };

    for (size_t i = 0; i < COUNT(operations); i++)
        metric_add(METRIC_STORE_ERRORS, operations[i], 0);
}

void store_jobs_free(struct store_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        job_free(&jobs->list[i]);
    free(jobs->list);
    *jobs = (struct store_jobs){ 0 };
}

void store_keys_free(struct store_keys *keys)
{
    free(keys->list);
    *keys = (struct store_keys){ 0 };
}

void store_deliveries_free(struct store_deliveries *deliveries)
{
    for (size_t i = 0; i < deliveries->n; i++)
        delivery_free(&deliveries->list[i]);
    free(deliveries->list);
    *deliveries = (struct store_deliveries){ 0 };
}

void store_close(struct store *store)
{
    if (store)
        store->ops->close(store);
}

int store_put(struct store *store, const struct job *job, const struct store_terms *terms,
              struct store_receipt *receipt, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("put", began, store->ops->put(store, job, terms, receipt, err), err);
}

int store_claim(struct store *store, int64_t now, int64_t lease_ms,
                const struct store_choice *choice, struct job *job, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("claim", began, store->ops->claim(store, now, lease_ms, choice, job, err), err);
}

int store_heartbeat(struct store *store, const char *id, int32_t attempt, int64_t lease_until,
                    double progress, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("heartbeat", began,
                 store->ops->heartbeat(store, id, attempt, lease_until, progress, err), err);
}

int store_finish(struct store *store, const char *id, int32_t attempt, const struct store_end *end,
                 struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("finish", began, store->ops->finish(store, id, attempt, end, err), err);
}

int store_fetched(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                  int64_t bytes, const char *inputs_json, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("fetched", began,
                 store->ops->fetched(store, id, attempt, run_at, bytes, inputs_json, err), err);
}

int store_release(struct store *store, const char *id, int32_t attempt, int64_t run_at, bool spared,
                  struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("release", began, store->ops->release(store, id, attempt, run_at, spared, err),
                 err);
}

int store_reclaim(struct store *store, int64_t now, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("reclaim", began, store->ops->reclaim(store, now, err), err);
}

int store_find(struct store *store, const char *id, struct job *job, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("find", began, store->ops->find(store, id, job, err), err);
}

int store_files(struct store *store, const char *id, int which, struct buf *out, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("files", began, store->ops->files(store, id, which, out, err), err);
}

int store_list(struct store *store, int64_t key_id, const struct store_page *page,
               struct store_jobs *jobs, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("list", began, store->ops->list(store, key_id, page, jobs, err), err);
}

int store_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                 struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("remove", began, store->ops->remove(store, id, key_id, job, err), err);
}

int store_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                 struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("expire", began, store->ops->expire(store, now, limit, jobs, err), err);
}

int store_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                 struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("forget", began,
                 store->ops->forget(store, idempotency_before, expired_before, err), err);
}

int store_depth(struct store *store, int64_t *pending, int64_t *running, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("depth", began, store->ops->depth(store, pending, running, err), err);
}

int store_oldest(struct store *store, int64_t *created_at, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("oldest", began, store->ops->oldest(store, created_at, err), err);
}

int store_key_add(struct store *store, struct key *key, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("key_add", began, store->ops->key_add(store, key, err), err);
}

int store_key_find(struct store *store, const char *digest, struct key *key, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("key_find", began, store->ops->key_find(store, digest, key, err), err);
}

int store_key_list(struct store *store, struct store_keys *keys, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("key_list", began, store->ops->key_list(store, keys, err), err);
}

int store_key_end(struct store *store, const char *prefix, int64_t valid_until, struct key *key,
                  struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("key_end", began, store->ops->key_end(store, prefix, valid_until, key, err), err);
}

int store_key_move(struct store *store, const char *prefix, const char *plan, struct key *key,
                   struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("key_move", began, store->ops->key_move(store, prefix, plan, key, err), err);
}

int store_key_remove(struct store *store, const char *prefix, int64_t now, struct key *key,
                     struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("key_remove", began, store->ops->key_remove(store, prefix, now, key, err), err);
}

int store_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("usage", began, store->ops->usage(store, key_id, month, usage, err), err);
}

int store_delivery_claim(struct store *store, int64_t now, size_t limit,
                         struct store_deliveries *deliveries, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("delivery_claim", began,
                 store->ops->delivery_claim(store, now, limit, deliveries, err), err);
}

int store_delivery_settle(struct store *store, const struct store_outcome *outcomes, size_t n,
                          struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("delivery_settle", began, store->ops->delivery_settle(store, outcomes, n, err),
                 err);
}

int store_delivery_reclaim(struct store *store, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("delivery_reclaim", began, store->ops->delivery_reclaim(store, err), err);
}

int store_delivery_next(struct store *store, int64_t *next_at, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("delivery_next", began, store->ops->delivery_next(store, next_at, err), err);
}

int store_delivery_list(struct store *store, const char *job_id,
                        struct store_deliveries *deliveries, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("delivery_list", began, store->ops->delivery_list(store, job_id, deliveries, err),
                 err);
}

int store_delivery_page(struct store *store, int64_t key_id, const struct store_delivery_page *page,
                        struct store_deliveries *deliveries, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("delivery_page", began,
                 store->ops->delivery_page(store, key_id, page, deliveries, err), err);
}

int store_delivery_again(struct store *store, const char *job_id, const char *id, int64_t now,
                         struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("delivery_again", began, store->ops->delivery_again(store, job_id, id, now, err),
                 err);
}

int store_secret_list(struct store *store, int64_t key_id, int64_t now,
                      struct store_secret secrets[static STORE_SECRETS], size_t *n, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("secret_list", began, store->ops->secret_list(store, key_id, now, secrets, n, err),
                 err);
}

int store_secret_add(struct store *store, int64_t key_id, const char *text, int64_t now,
                     int64_t old_until, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("secret_add", began,
                 store->ops->secret_add(store, key_id, text, now, old_until, err), err);
}

bool store_is_shared(const struct store *store)
{
    return store->ops->watch != NULL;
}

int store_watch(struct store *store, const char ids[][ID_TEXT], size_t n, struct store_news *news,
                struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("watch", began, store->ops->watch(store, ids, n, news, err), err);
}

int store_nodes(struct store *store, struct store_node *nodes, size_t most, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("nodes", began, store->ops->nodes(store, nodes, most, err), err);
}

int store_share(struct store *store, const char *name, char *text, size_t size, struct err *err)
{
    int64_t began = clock_mono_us();

    if (!store->ops->share)
        return 0;
    return timed("share", began, store->ops->share(store, name, text, size, err), err);
}

int store_permit(struct store *store, int64_t account, int64_t limit, int64_t want,
                 struct store_permits *permits, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("permit", began, store->ops->permit(store, account, limit, want, permits, err),
                 err);
}

int store_limit(struct store *store, const char *const *tools, size_t n, struct err *err)
{
    return store->ops->limit(store, tools, n, err);
}

int store_beat(struct store *store, int64_t lease_ms, unsigned roles, struct store_held *held,
               size_t n, struct store_pulse *pulse, struct err *err)
{
    int64_t began = clock_mono_us();

    return timed("beat", began, store->ops->beat(store, lease_ms, roles, held, n, pulse, err), err);
}

int store_listen(struct store *store, void (*heard)(void *arg, unsigned what), void *arg,
                 struct err *err)
{
    return store->ops->listen ? store->ops->listen(store, heard, arg, err) : 0;
}

bool store_ring(struct store *store, unsigned what)
{
    return store->ops->ring && store->ops->ring(store, what);
}
