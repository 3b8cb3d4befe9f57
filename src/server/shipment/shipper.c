#include "server/shipment/shipper.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/id.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "data/blob/blob_name.h"
#include "server/dispatch/shipping.h"
#include "server/shipment/parcel.h"
#include "server/shipment/shipment_result.h"
#include "server/webhook/file_client.h"

#define SLOTS    16
#define IDLE_MS  60000 /* a helper is ended after this time without a shipment */
#define LOOK_MS  5000  /* how often claims are renewed, and others' shipments looked for */
#define LEASE_MS 30000
#define SPARE_MS 10000 /* time that is allowed in addition to a request's own timeout */
#define PAUSE_MS 1000  /* after an error of the store */

/* A thread and the shipment it is at. */
struct slot {
    struct shipper *shipper;
    pthread_t thread;
    bool started, busy; /* busy: guarded by the shipper's lock, and `shipment` with it */
    atomic_bool lost;   /* another server has the shipment, or its job is gone */
    struct store_shipment shipment;
    struct file_client client;
};

struct shipper {
    struct shipper_config config; /* without its terms */
    char program[PATH_MAX];
    pthread_t thread;
    bool started;
    int wake; /* eventfd: of the thread that claims */
    atomic_bool stopping;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t change;
    struct webhook_own_terms requests;
    struct retry_rules retry;
    uint64_t serial; /* of `requests` */
    struct slot slots[SLOTS];
};

/* Waits for the response to the request that was sent. */
static int await_response(struct slot *slot, int64_t until, struct webhook_response *response,
                          struct err *err)
{
    struct pollfd ready = { .fd = file_client_fd(&slot->client), .events = POLLIN };
    int got = 0;

    while (got == 0) {
        if (atomic_load(&slot->lost) || atomic_load(&slot->shipper->stopping) ||
            clock_mono_ms() > until) {
            file_client_end(&slot->client); /* it would go on sending */
            return err_set(err, ERR_INTERNAL, "the attempt was given up");
        }
        poll(&ready, 1, 200);
        got = file_client_receive(&slot->client, response, err);
    }
    return got < 0 ? -1 : 0;
}

static int send_parcel(struct slot *slot, const struct parcel *parcel,
                       struct webhook_response *response, struct err *err)
{
    struct shipper *s = slot->shipper;
    struct webhook_own_terms terms;
    struct webhook_request request = { .put = true,
                                       .from = parcel->from,
                                       .bytes = parcel->bytes,
                                       .url = parcel->url,
                                       .headers = parcel->headers.data,
                                       .body = "" };
    uint64_t serial;
    int64_t until;
    int done;

    pthread_mutex_lock(&s->lock);
    serial = s->serial;
    done = webhook_own_terms_copy(&terms, &s->requests.values, err);
    pthread_mutex_unlock(&s->lock);
    if (done < 0)
        return -1;
    until = clock_mono_ms() + terms.values.timeout_ms * (PARCEL_REDIRECTS + 1) + SPARE_MS;
    done = file_client_ask(&slot->client, &terms.values, serial, &request, parcel->fd, err);
    webhook_own_terms_free(&terms);
    return done < 0 ? -1 : await_response(slot, until, response, err);
}

/* After the last shipment of a job the addresses are not needed any more. */
static void drop_addresses(struct shipper *s, const char *job_id)
{
    AUTO_SHIPMENTS struct store_shipments all = { 0 };
    struct err err;

    if (store_shipment_list(s->config.store, job_id, &all, &err) < 0)
        return;
    for (size_t i = 0; i < all.n; i++)
        if (all.list[i].state < SHIPMENT_DONE)
            return;
    blob_remove(s->config.blobs, job_id, BLOB_NAME_ADDRESSES);
    hub_wake(s->config.hub, job_id);
    store_ring(s->config.store, STORE_RING_ENDS);
    sender_wake(s->config.sender);
}

static void settle(struct slot *slot, const struct webhook_response *response)
{
    struct shipper *s = slot->shipper;
    struct store_shipment *shipment = &slot->shipment;
    struct retry_rules retry;
    uint32_t chance;
    struct err err;
    int done;

    pthread_mutex_lock(&s->lock);
    retry = s->retry;
    pthread_mutex_unlock(&s->lock);
    id_random(&chance, sizeof chance);
    shipment_result_classify(&retry, response, clock_wall_ms(), chance, shipment);
    log_info("shipment.attempt", KV("job", shipment->job_id), KV("part", shipment->part),
             KV("attempt", shipment->attempts), KV("status", shipment->http_status),
             KV("ms", shipment->duration_ms), KV("state", store_shipment_status(shipment->state)),
             KV("forbidden", response && response->forbidden ? "yes" : "no"));
    done = store_shipment_settle(s->config.store, shipment, clock_wall_ms(), &err);
    if (done < 0)
        log_error("shipment.settle_failed", KV("job", shipment->job_id), KV("why", err.msg));
    if (done == 1 && shipment->state >= SHIPMENT_DONE)
        drop_addresses(s, shipment->job_id);
}

static void ship(struct slot *slot)
{
    AUTO_PARCEL struct parcel parcel = PARCEL_NONE;
    struct webhook_response response = { 0 };
    struct shipper *s = slot->shipper;
    struct err err;

    if (parcel_open(&parcel, s->config.store, s->config.blobs, &slot->shipment, &err) < 0 ||
        send_parcel(slot, &parcel, &response, &err) < 0) {
        if (atomic_load(&slot->lost) || atomic_load(&s->stopping))
            return; /* the claim ends by itself */
        log_warn("shipment.not_sent", KV("job", slot->shipment.job_id), KV("why", err.msg));
        settle(slot, NULL);
        return;
    }
    settle(slot, &response);
}

static void wake(struct shipper *s)
{
    const uint64_t one = 1;

    if (write(s->wake, &one, sizeof one) < 0)
        log_debug("shipment.knock", KV("full", "yes")); /* the thread is awake */
}

static void *serve_slot(void *arg)
{
    struct slot *slot = arg;
    struct shipper *s = slot->shipper;
    int64_t idle_since = clock_mono_ms();

    pthread_mutex_lock(&s->lock);
    while (!atomic_load(&s->stopping)) {
        if (!slot->busy) {
            thread_cond_wait_ms(&s->change, &s->lock, IDLE_MS);
            if (!slot->busy && clock_mono_ms() - idle_since >= IDLE_MS)
                file_client_end(&slot->client);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        ship(slot);
        idle_since = clock_mono_ms();
        pthread_mutex_lock(&s->lock);
        slot->busy = false;
        wake(s);
    }
    pthread_mutex_unlock(&s->lock);
    file_client_end(&slot->client);
    return NULL;
}

/* The caller has the lock. */
static struct slot *free_slot(struct shipper *s)
{
    for (size_t i = 0; i < SLOTS; i++)
        if (!s->slots[i].busy)
            return &s->slots[i];
    return NULL;
}

static void renew_claims(struct shipper *s)
{
    struct err err;

    for (size_t i = 0; i < SLOTS; i++) {
        struct store_shipment claimed;
        bool busy;

        pthread_mutex_lock(&s->lock);
        busy = s->slots[i].busy;
        claimed = s->slots[i].shipment;
        pthread_mutex_unlock(&s->lock);
        if (busy &&
            store_shipment_renew(s->config.store, &claimed, clock_wall_ms() + LEASE_MS, &err) == 0)
            atomic_store(&s->slots[i].lost, true);
    }
}

/* Claims one and gives it to a thread. 1: there may be another; 0: there is none, or no thread is
 * free. */
static int claim_one(struct shipper *s, struct err *err)
{
    struct store_shipment claimed;
    struct slot *slot;
    int64_t now = clock_wall_ms();
    int got;

    pthread_mutex_lock(&s->lock);
    slot = free_slot(s); /* only this thread gives it something to do */
    pthread_mutex_unlock(&s->lock);
    if (!slot)
        return 0;
    if (!slot->started)
        slot->started = thread_start(&slot->thread, "ship", serve_slot, slot, err) == 0;
    if (!slot->started)
        return -1;
    got = store_shipment_claim(s->config.store, now, now + LEASE_MS, &claimed, err);
    if (got < 1)
        return got;
    pthread_mutex_lock(&s->lock);
    atomic_store(&slot->lost, false);
    slot->shipment = claimed;
    slot->busy = true;
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
    return 1;
}

/* Claims what is due. How long to wait until there may be more, in milliseconds. */
static int64_t claim_due(struct shipper *s)
{
    int64_t next = 0, wait = LOOK_MS;
    struct err err;
    int got;

    if (store_shipment_next(s->config.store, &next, &err) < 0)
        return PAUSE_MS;
    if (next && next <= clock_wall_ms()) {
        while ((got = claim_one(s, &err)) == 1)
            continue;
        if (got < 0) {
            log_error("shipment.claim_failed", KV("why", err.msg));
            return PAUSE_MS;
        }
        if (store_shipment_next(s->config.store, &next, &err) < 0)
            return PAUSE_MS;
    }
    if (next && next - clock_wall_ms() < wait)
        wait = next - clock_wall_ms();
    return wait > 100 ? wait : 100; /* one that is due and cannot be claimed yet */
}

static void *run_shipper(void *arg)
{
    struct shipper *s = arg;
    struct pollfd ready = { .fd = s->wake, .events = POLLIN };
    int64_t renewed = clock_mono_ms();
    uint64_t knocks;

    while (!atomic_load(&s->stopping)) {
        int64_t wait = claim_due(s);

        if (clock_mono_ms() - renewed >= LOOK_MS) {
            renew_claims(s);
            renewed = clock_mono_ms();
        }
        poll(&ready, 1, (int) wait);
        if (ready.revents && read(s->wake, &knocks, sizeof knocks) < 0)
            continue; /* another wake-up was consumed with it */
    }
    return NULL;
}

static struct shipper *prepare_shipper(const struct shipper_config *config, struct err *err)
{
    struct shipper *s = calloc(1, sizeof *s);

    if (!s) {
        err_sys(err, "shipper");
        return NULL;
    }
    s->config = *config;
    s->retry = config->terms.retry;
    pthread_mutex_init(&s->lock, NULL);
    thread_cond_init(&s->change);
    for (size_t i = 0; i < SLOTS; i++) {
        s->slots[i].shipper = s;
        s->slots[i].client = FILE_CLIENT(s->program);
    }
    s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s->wake < 0)
        err_sys(err, "eventfd");
    return s;
}

struct shipper *shipper_new(const struct shipper_config *config, struct err *err)
{
    struct shipper *s = prepare_shipper(config, err);

    if (!s)
        return NULL;
    if (s->wake >= 0 && webhook_own_terms_copy(&s->requests, &config->terms.requests, err) == 0 &&
        file_client_path(config->programs, s->program, sizeof s->program, err) == 0 &&
        store_shipment_reclaim(config->store, clock_wall_ms(), err) >= 0)
        s->started = thread_start(&s->thread, "shipper", run_shipper, s, err) == 0;
    if (s->started)
        return s;
    shipper_stop(s);
    return NULL;
}

int shipper_change(struct shipper *s, const struct shipper_terms *terms, struct err *err)
{
    struct webhook_own_terms next, old;

    if (webhook_own_terms_copy(&next, &terms->requests, err) < 0)
        return -1;
    pthread_mutex_lock(&s->lock);
    old = s->requests;
    s->requests = next;
    s->retry = terms->retry;
    s->serial++;
    pthread_mutex_unlock(&s->lock);
    webhook_own_terms_free(&old);
    return 0;
}

void shipper_wake(struct shipper *s)
{
    if (s)
        wake(s);
}

void shipper_stop(struct shipper *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    atomic_store(&s->stopping, true);
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
    if (s->wake >= 0)
        wake(s);
    if (s->started)
        pthread_join(s->thread, NULL);
    for (size_t i = 0; i < SLOTS; i++)
        if (s->slots[i].started)
            pthread_join(s->slots[i].thread, NULL);
    webhook_own_terms_free(&s->requests);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->change);
    if (s->wake >= 0)
        close(s->wake);
    free(s);
}
