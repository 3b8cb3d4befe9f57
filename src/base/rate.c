#include "base/rate.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"

#define STEP_MS 10000
#define STEPS   (RATE_SECONDS * 1000 / STEP_MS + 1) /* complete steps, and the current one */

/* The number of the current step; its counters are at newest % STEPS. Advanced under the lock.
 * An event at the moment of an advance may be lost or be counted in the step before. */
static _Atomic int64_t newest;
static _Atomic int64_t counts[RATE_COUNT][STEPS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Empties the steps in which nothing happened. */
static int64_t advance(void)
{
    int64_t now = clock_mono_ms() / STEP_MS, step = atomic_load(&newest);

    if (step >= now)
        return step;
    pthread_mutex_lock(&lock);
    step = atomic_load(&newest);
    if (now - step > STEPS)
        step = now - STEPS;
    while (step < now) {
        step++;
        for (int i = 0; i < RATE_COUNT; i++)
            atomic_store(&counts[i][step % STEPS], 0);
        atomic_store(&newest, step);
    }
    pthread_mutex_unlock(&lock);
    return step;
}

void rate_note(enum rate rate)
{
    atomic_fetch_add_explicit(&counts[rate][advance() % STEPS], 1, memory_order_relaxed);
}

int64_t rate_recent(enum rate rate, int64_t seconds)
{
    int64_t step = advance(), sum = 0;

    for (int64_t i = 0; i <= seconds * 1000 / STEP_MS && i < STEPS && i <= step; i++)
        sum += atomic_load(&counts[rate][(step - i) % STEPS]);
    return sum;
}
