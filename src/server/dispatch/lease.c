#include "server/dispatch/lease.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/system/log.h"

#define STEP    0.01 /* the least progress that is reported */
#define STEP_MS 250  /* and how long after the last */

void lease_init(struct lease *lease)
{
    *lease = (struct lease){ .store = NULL };
    pthread_mutex_init(&lease->lock, NULL);
}

void lease_destroy(struct lease *lease)
{
    pthread_mutex_destroy(&lease->lock);
}

void lease_begin(struct lease *lease, struct store *store, const struct job *job, int64_t length_ms)
{
    pthread_mutex_lock(&lease->lock);
    lease->store = store;
    snprintf(lease->job_id, sizeof lease->job_id, "%s", job->id);
    lease->attempt = job->attempt;
    lease->length_ms = length_ms;
    lease->until = job->lease_until;
    lease->reported_at = lease->renewed_at = clock_mono_ms();
    lease->progress = 0;
    lease->shared = store_is_shared(store);
    lease->lost = false;
    pthread_mutex_unlock(&lease->lock);
}

static void send_progress(struct lease *lease, double fraction)
{
    int64_t until = clock_wall_ms() + lease->length_ms;
    struct err err;
    int mine = store_heartbeat(lease->store, lease->job_id, lease->attempt, until, fraction, &err);

    if (mine < 0) {
        /* The lease may still hold: the store decides at the end. */
        log_warn("job.heartbeat_failed", KV("job", lease->job_id), KV("why", err.msg));
        return;
    }
    lease->reported_at = lease->renewed_at = clock_mono_ms();
    lease->until = until;
    lease->progress = fraction;
    lease->lost = mine == 0;
}

/* Uses the wall clock, like the store: it may be set back. */
static bool ends_soon(const struct lease *lease)
{
    int64_t left = lease->until - clock_wall_ms();

    return left < lease->length_ms * 2 / 3 || left > lease->length_ms;
}

/* Of a shared store another server takes the job when the lease ends: this one gives it up well
 * before. */
static void give_up_if_silent(struct lease *lease)
{
    if (clock_mono_ms() - lease->renewed_at <= lease->length_ms / 2)
        return;
    if (!lease->lost)
        log_warn("job.given_up", KV("job", lease->job_id),
                 KV("why", "the store has not been heard of for half a lease"));
    lease->lost = true;
}

bool lease_progress(struct lease *lease, double fraction)
{
    bool lost;

    pthread_mutex_lock(&lease->lock);
    if (lease->shared) {
        lease->progress = fraction;
        give_up_if_silent(lease);
    } else if (ends_soon(lease) || (fraction - lease->progress >= STEP &&
                                    clock_mono_ms() - lease->reported_at >= STEP_MS))
        send_progress(lease, fraction);
    lost = lease->lost;
    pthread_mutex_unlock(&lease->lock);
    return !lost;
}

void lease_keep(struct lease *lease)
{
    pthread_mutex_lock(&lease->lock);
    if (lease->store && !lease->shared && !lease->lost && ends_soon(lease))
        send_progress(lease, lease->progress);
    pthread_mutex_unlock(&lease->lock);
}

bool lease_is_lost(struct lease *lease)
{
    bool lost;

    pthread_mutex_lock(&lease->lock);
    lost = lease->lost;
    pthread_mutex_unlock(&lease->lock);
    return lost;
}

bool lease_peek(struct lease *lease, struct store_held *held)
{
    bool held_now;

    pthread_mutex_lock(&lease->lock);
    held_now = lease->store && lease->shared && !lease->lost;
    if (held_now) {
        *held = (struct store_held){ .attempt = lease->attempt, .progress = lease->progress };
        snprintf(held->id, sizeof held->id, "%s", lease->job_id);
    }
    pthread_mutex_unlock(&lease->lock);
    return held_now;
}

void lease_renewed(struct lease *lease, const struct store_held *held, int64_t at)
{
    pthread_mutex_lock(&lease->lock);
    if (lease->store && lease->attempt == held->attempt && strcmp(lease->job_id, held->id) == 0) {
        if (lease->renewed_at < at)
            lease->renewed_at = at;
        lease->lost = lease->lost || held->lost;
    }
    pthread_mutex_unlock(&lease->lock);
}

void lease_end(struct lease *lease)
{
    pthread_mutex_lock(&lease->lock);
    lease->store = NULL;
    pthread_mutex_unlock(&lease->lock);
}
