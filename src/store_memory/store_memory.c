/*
 * The store in memory: forgets all at close. It is the specification in code: plain lists, one
 * lock, every question answered by looking at all there is. Fit for tests, not for many jobs.
 */
#include <stdlib.h>

#include "store/store_uploads.h"
#include "store_memory/store_memory.h"
#include "store_memory/store_memory_open.h"

static int depth(struct store *store, int64_t *pending, int64_t *running, struct err *err)
{
    LOCKED *m = memory_enter(store);

    (void) err;
    *pending = *running = 0;
    for (size_t i = 0; i < m->n_jobs; i++) {
        *pending += m->jobs[i].job.state == JOB_PENDING;
        *running += m->jobs[i].job.state == JOB_RUNNING;
    }
    return 0;
}

static int oldest(struct store *store, int64_t *created_at, struct err *err)
{
    LOCKED *m = memory_enter(store);

    (void) err;
    *created_at = 0;
    for (size_t i = 0; i < m->n_jobs; i++) {
        const struct job *job = &m->jobs[i].job;

        if (job->state == JOB_PENDING && (!*created_at || job->created_at < *created_at))
            *created_at = job->created_at;
    }
    return 0;
}

static void close_memory(struct store *store)
{
    struct memory *m = (struct memory *) store;
    struct err ignored;

    while (m->n_jobs)
        memory_drop(m, m->jobs);
    store_memory_forget(store, INT64_MAX, INT64_MAX, &ignored); /* the replays */
    free(m->jobs);
    free(m->counts);
    free(m->replays);
    free(m->keys);
    free(m->turns);
    free(m->deliveries); /* which went with their jobs */
    free(m->secrets);
    for (size_t i = 0; i < m->n_uploads; i++)
        store_upload_free(&m->uploads[i]);
    free(m->uploads);
    free(m->shares);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

static const struct store_ops ops = {
    .close = close_memory,
    .put = store_memory_put,
    .claim = store_memory_claim,
    .heartbeat = store_memory_heartbeat,
    .finish = store_memory_finish,
    .release = store_memory_release,
    .reclaim = store_memory_reclaim,
    .find = store_memory_find,
    .files = store_memory_files,
    .list = store_memory_list,
    .remove = store_memory_remove,
    .expire = store_memory_expire,
    .forget = store_memory_forget,
    .depth = depth,
    .oldest = oldest,
    .key_add = store_memory_key_add,
    .key_find = store_memory_key_find,
    .key_list = store_memory_key_list,
    .key_end = store_memory_key_end,
    .key_move = store_memory_key_move,
    .key_remove = store_memory_key_remove,
    .usage = store_memory_usage,
    .delivery_claim = store_memory_delivery_claim,
    .delivery_settle = store_memory_delivery_settle,
    .delivery_reclaim = store_memory_delivery_reclaim,
    .delivery_next = store_memory_delivery_next,
    .delivery_list = store_memory_delivery_list,
    .delivery_page = store_memory_delivery_page,
    .delivery_again = store_memory_delivery_again,
    .secret_list = store_memory_secret_list,
    .secret_add = store_memory_secret_add,
    .uploads = &store_memory_uploads,
};

struct store *store_memory_open(struct err *err)
{
    struct memory *m = calloc(1, sizeof *m);

    if (!m) {
        err_sys(err, "cannot make the store");
        return NULL;
    }
    m->store.ops = &ops;
    pthread_mutex_init(&m->lock, NULL);
    return &m->store;
}
