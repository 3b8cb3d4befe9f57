#include "server/dispatch/pulse.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/id.h"
#include "base/system/log.h"
#include "base/system/thread.h"

struct pulse {
    struct pulse_config config;
    pthread_t thread;
    atomic_bool chosen;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t wake;
    unsigned heard; /* STORE_RING_..., not looked at yet */
    bool ending;
    /* the thread's alone */
    int64_t others;           /* servers that lived at the last beat besides this one */
    int64_t keen_ms;          /* the pause between two beats now, if no other server is heard */
    int64_t beat_at, poll_at; /* monotonic ms: the next of each */
    bool failing;
};

/* Called by a thread of the store. */
static void hear(void *arg, unsigned what)
{
    struct pulse *pulse = arg;

    pthread_mutex_lock(&pulse->lock);
    pulse->heard |= what;
    pthread_cond_signal(&pulse->wake);
    pthread_mutex_unlock(&pulse->lock);
}

/* A fifth more or less: servers that were started together do not ask together. */
static int64_t spread(int64_t ms)
{
    unsigned char chance;

    id_random(&chance, 1);
    return ms * 4 / 5 + ms * 2 / 5 * chance / 255;
}

static int64_t interval(struct pulse *pulse, bool busy)
{
    const int64_t most = dispatcher_lease_ms(pulse->config.dispatcher) / 4;
    int64_t ms = busy ? PULSE_BUSY_MS : PULSE_IDLE_MS;

    if (!busy && !store_ring(pulse->config.store, 0) && pulse->keen_ms < ms)
        ms = pulse->keen_ms;
    return spread(ms < most ? ms : most);
}

static int beat(struct pulse *pulse, struct err *err)
{
    const struct pulse_config *config = &pulse->config;
    struct store_pulse news = { 0 };
    size_t n = 0;
    int done = dispatcher_beat(config->dispatcher, config->store, &news, &n, err);

    if (done == 0) {
        atomic_store(config->pending, news.pending);
        pulse->others = news.others;
        if (news.chosen)
            atomic_store(&pulse->chosen, true);
        if (news.reclaimed > 0)
            log_warn("jobs.put_back", KV("jobs", news.reclaimed),
                     KV("why", "the server that did them is gone"));
        if (news.due || news.reclaimed > 0)
            dispatcher_wake(config->dispatcher);
        if (news.reclaimed > 0)
            store_ring(config->store, STORE_RING_JOBS);
    } else if (!pulse->failing) {
        log_error("store.silent", KV("why", err->msg));
    }
    pulse->failing = done < 0;
    pulse->keen_ms = done == 0 && news.due ? PULSE_KEEN_MS : pulse->keen_ms * 5 / 4;
    if (pulse->keen_ms > PULSE_IDLE_MS)
        pulse->keen_ms = PULSE_IDLE_MS;
    pulse->beat_at = clock_mono_ms() + interval(pulse, n > 0);
    return done;
}

bool pulse_is_looker(int64_t others, uint16_t chance)
{
    return chance * (others + 1) < (int64_t) PULSE_LOOKERS << 16;
}

static void act(struct pulse *pulse, unsigned heard)
{
    const struct pulse_config *config = &pulse->config;
    int64_t now = clock_mono_ms();
    struct err ignored;
    uint16_t chance;

    id_random(&chance, sizeof chance);
    if ((heard & STORE_RING_JOBS) && pulse_is_looker(pulse->others, chance))
        dispatcher_wake(config->dispatcher);
    if (now >= pulse->beat_at)
        beat(pulse, &ignored);
    if ((heard & STORE_RING_ENDS) || now >= pulse->poll_at) {
        hub_poll(config->hub, config->store);
        pulse->poll_at = now + PULSE_BUSY_MS;
    }
}

static void *keep_pulse(void *arg)
{
    struct pulse *pulse = arg;

    pthread_mutex_lock(&pulse->lock);
    while (!pulse->ending) {
        const unsigned heard = pulse->heard;
        int64_t now;

        pulse->heard = 0;
        pthread_mutex_unlock(&pulse->lock);
        act(pulse, heard);
        now = clock_mono_ms();
        pthread_mutex_lock(&pulse->lock);
        int64_t next = pulse->beat_at < pulse->poll_at ? pulse->beat_at : pulse->poll_at;
        if (!pulse->ending && !pulse->heard && next > now)
            thread_cond_wait_ms(&pulse->wake, &pulse->lock, next - now);
    }
    pthread_mutex_unlock(&pulse->lock);
    return NULL;
}

struct pulse *pulse_new(const struct pulse_config *config, struct err *err)
{
    struct pulse *pulse = calloc(1, sizeof *pulse);

    if (!pulse) {
        err_sys(err, "pulse");
        return NULL;
    }
    pulse->config = *config;
    pulse->keen_ms = PULSE_KEEN_MS;
    pthread_mutex_init(&pulse->lock, NULL);
    thread_cond_init(&pulse->wake);
    if (beat(pulse, err) == 0 && store_listen(config->store, hear, pulse, err) == 0 &&
        thread_start(&pulse->thread, "pulse", keep_pulse, pulse, err) == 0)
        return pulse;
    /* The store may call hear() until it is closed, and the process ends after a start that failed:
     * the memory stays. */
    return NULL;
}

void pulse_stop(struct pulse *pulse)
{
    if (!pulse)
        return;
    pthread_mutex_lock(&pulse->lock);
    pulse->ending = true;
    pthread_cond_signal(&pulse->wake);
    pthread_mutex_unlock(&pulse->lock);
    pthread_join(pulse->thread, NULL);
}

void pulse_free(struct pulse *pulse)
{
    if (!pulse)
        return;
    pthread_mutex_destroy(&pulse->lock);
    pthread_cond_destroy(&pulse->wake);
    free(pulse);
}

bool pulse_is_chosen(struct pulse *pulse)
{
    return atomic_exchange(&pulse->chosen, false);
}
