#include "store/store.h"

#include <stdlib.h>

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

void store_close(struct store *store)
{
    if (store)
        store->ops->close(store);
}

int store_put(struct store *store, const struct job *job, const struct store_terms *terms,
              struct store_receipt *receipt, struct err *err)
{
    return store->ops->put(store, job, terms, receipt, err);
}

int store_claim(struct store *store, int64_t now, int64_t lease_ms, struct job *job,
                struct err *err)
{
    return store->ops->claim(store, now, lease_ms, job, err);
}

int store_heartbeat(struct store *store, const char *id, int32_t attempt, int64_t lease_until,
                    double progress, struct err *err)
{
    return store->ops->heartbeat(store, id, attempt, lease_until, progress, err);
}

int store_finish(struct store *store, const char *id, int32_t attempt, const struct store_end *end,
                 struct err *err)
{
    return store->ops->finish(store, id, attempt, end, err);
}

int store_release(struct store *store, const char *id, int32_t attempt, int64_t run_at,
                  struct err *err)
{
    return store->ops->release(store, id, attempt, run_at, err);
}

int store_reclaim(struct store *store, int64_t now, struct err *err)
{
    return store->ops->reclaim(store, now, err);
}

int store_find(struct store *store, const char *id, struct job *job, struct err *err)
{
    return store->ops->find(store, id, job, err);
}

int store_list(struct store *store, int64_t key_id, const char *before, int status, size_t limit,
               struct store_jobs *jobs, struct err *err)
{
    return store->ops->list(store, key_id, before, status, limit, jobs, err);
}

int store_remove(struct store *store, const char *id, int64_t key_id, struct job *job,
                 struct err *err)
{
    return store->ops->remove(store, id, key_id, job, err);
}

int store_expire(struct store *store, int64_t now, size_t limit, struct store_jobs *jobs,
                 struct err *err)
{
    return store->ops->expire(store, now, limit, jobs, err);
}

int store_forget(struct store *store, int64_t idempotency_before, int64_t expired_before,
                 struct err *err)
{
    return store->ops->forget(store, idempotency_before, expired_before, err);
}

int store_depth(struct store *store, int64_t *pending, int64_t *running, struct err *err)
{
    return store->ops->depth(store, pending, running, err);
}

int store_key_add(struct store *store, struct key *key, struct err *err)
{
    return store->ops->key_add(store, key, err);
}

int store_key_find(struct store *store, const char *digest, struct key *key, struct err *err)
{
    return store->ops->key_find(store, digest, key, err);
}

int store_key_list(struct store *store, struct store_keys *keys, struct err *err)
{
    return store->ops->key_list(store, keys, err);
}

int store_key_end(struct store *store, const char *prefix, int64_t valid_until, struct key *key,
                  struct err *err)
{
    return store->ops->key_end(store, prefix, valid_until, key, err);
}

int store_usage(struct store *store, int64_t key_id, int64_t month, struct usage *usage,
                struct err *err)
{
    return store->ops->usage(store, key_id, month, usage, err);
}
