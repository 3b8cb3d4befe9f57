#include "server/config/live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct snapshot {
    struct config config;
    atomic_int holders; /* readers, and one for the current version */
};

struct live {
    pthread_mutex_t lock;
    struct snapshot *now; /* the current version, under lock */
};

static struct snapshot *make_snapshot(const struct config *config, struct err *err)
{
    struct snapshot *snapshot = malloc(sizeof *snapshot);

    if (!snapshot) {
        err_sys(err, "settings");
        return NULL;
    }
    snapshot->config = *config;
    atomic_init(&snapshot->holders, 1);
    return snapshot;
}

struct live *live_new(const struct config *config, struct err *err)
{
    struct live *live = calloc(1, sizeof *live);

    if (live)
        live->now = make_snapshot(config, err);
    if (!live || !live->now) {
        free(live);
        err_sys(err, "settings");
        return NULL;
    }
    pthread_mutex_init(&live->lock, NULL);
    return live;
}

void live_free(struct live *live)
{
    if (!live)
        return;
    live_release(&live->now->config);
    pthread_mutex_destroy(&live->lock);
    free(live);
}

const struct config *live_hold(struct live *live)
{
    struct snapshot *snapshot;

    /* The lock prevents a reload from freeing the snapshot before it is counted. */
    pthread_mutex_lock(&live->lock);
    snapshot = live->now;
    atomic_fetch_add(&snapshot->holders, 1);
    pthread_mutex_unlock(&live->lock);
    return &snapshot->config;
}

void live_release(const struct config *config)
{
    struct snapshot *snapshot =
        (struct snapshot *) ((uintptr_t) config - offsetof(struct snapshot, config));

    if (config && atomic_fetch_sub(&snapshot->holders, 1) == 1)
        free(snapshot);
}

int live_replace(struct live *live, const struct config *config, struct err *err)
{
    struct snapshot *next = make_snapshot(config, err), *old;

    if (!next)
        return -1;
    pthread_mutex_lock(&live->lock);
    old = live->now;
    live->now = next;
    pthread_mutex_unlock(&live->lock);
    live_release(&old->config);
    return 0;
}
