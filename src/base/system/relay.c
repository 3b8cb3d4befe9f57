#include "base/system/relay.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/scope.h"
#include "base/system/thread.h"

/* An item that is being made or waits to be handed over. */
struct place {
    void *item;
    struct err err;
    bool failed, done;
};

struct relay {
    struct relay_work work;
    pthread_t threads[RELAY_THREADS];
    int n;
    pthread_mutex_t lock; /* guards all members below */
    pthread_cond_t taken, done;
    struct place places[2 * RELAY_THREADS]; /* item i is in place i modulo n_places */
    size_t n_places, begun, next;           /* begun, next: numbers of items */
    bool ending, started;                   /* started: item `next` has been handed over */
};

/* Assigns the next item to the calling thread once there is a place for it. False: no item is
 * left. */
static bool begin_item(struct relay *relay, size_t *number)
{
    while (!relay->ending && relay->begun < relay->work.n &&
           relay->begun >= relay->next + relay->n_places)
        pthread_cond_wait(&relay->taken, &relay->lock);
    if (relay->ending || relay->begun == relay->work.n)
        return false;
    *number = relay->begun++;
    return true;
}

static void *run_relay(void *arg)
{
    struct relay *relay = arg;
    const struct relay_work *work = &relay->work;
    AUTO_FREE void *state = calloc(1, work->state_bytes);
    size_t number;

    pthread_mutex_lock(&relay->lock);
    while (begin_item(relay, &number)) {
        struct place *place = &relay->places[number % relay->n_places];

        pthread_mutex_unlock(&relay->lock);
        place->failed =
            state ? work->make(work->arg, state, number, place->item, &place->err) < 0
                  : err_set(&place->err, ERR_LIMIT_EXCEEDED, "the job needs too much memory") < 0;
        pthread_mutex_lock(&relay->lock);
        place->done = true;
        pthread_cond_broadcast(&relay->done);
    }
    pthread_mutex_unlock(&relay->lock);
    if (state)
        work->close(work->arg, state);
    return NULL;
}

static bool make_places(struct relay *relay)
{
    for (size_t i = 0; i < relay->n_places; i++) {
        relay->places[i].item = calloc(1, relay->work.item_bytes);
        if (!relay->places[i].item)
            return false;
    }
    return true;
}

struct relay *relay_start(const struct relay_work *work, int n_threads, struct err *err)
{
    struct relay *relay = calloc(1, sizeof *relay);
    int n = n_threads > RELAY_THREADS ? RELAY_THREADS : n_threads;

    if (!relay) {
        err_sys(err, "threads");
        return NULL;
    }
    relay->work = *work;
    relay->n_places = 2 * (size_t) n;
    pthread_mutex_init(&relay->lock, NULL);
    pthread_cond_init(&relay->taken, NULL);
    pthread_cond_init(&relay->done, NULL);
    if (!make_places(relay))
        n = err_sys(err, "threads");
    pthread_mutex_lock(&relay->lock); /* the threads may read `n` as soon as they begin */
    while (relay->n < n && thread_start_deep(&relay->threads[relay->n], work->name,
                                             work->stack_bytes, run_relay, relay, err) == 0)
        relay->n++;
    pthread_mutex_unlock(&relay->lock);
    if (relay->n == n)
        return relay;
    relay_free(relay);
    return NULL;
}

int relay_next(struct relay *relay, void **item, struct err *err)
{
    struct place *place;

    pthread_mutex_lock(&relay->lock);
    if (relay->started) {
        relay->places[relay->next++ % relay->n_places].done = false;
        pthread_cond_broadcast(&relay->taken);
    }
    relay->started = true;
    place = &relay->places[relay->next % relay->n_places];
    while (!place->done)
        pthread_cond_wait(&relay->done, &relay->lock);
    pthread_mutex_unlock(&relay->lock);
    *item = place->item;
    if (place->failed)
        *err = place->err;
    return place->failed ? -1 : 0;
}

void relay_free(struct relay *relay)
{
    if (!relay)
        return;
    pthread_mutex_lock(&relay->lock);
    relay->ending = true;
    pthread_cond_broadcast(&relay->taken);
    pthread_mutex_unlock(&relay->lock);
    for (int i = 0; i < relay->n; i++)
        pthread_join(relay->threads[i], NULL);
    for (size_t i = 0; i < relay->n_places; i++) {
        if (relay->places[i].item)
            relay->work.clear(relay->places[i].item);
        free(relay->places[i].item);
    }
    pthread_mutex_destroy(&relay->lock);
    pthread_cond_destroy(&relay->taken);
    pthread_cond_destroy(&relay->done);
    free(relay);
}
