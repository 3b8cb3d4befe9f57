#include "server/webhook/sender.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "sandbox/process/peer_files.h"
#include "sandbox/process/program.h"
#include "server/webhook/delivery_result.h"

#define IDLE_MS  60000 /* the helper is ended after this time without a request */
#define SPARE_MS 10000 /* time that is allowed in addition to a request's own timeout */
#define STOP_MS  3000  /* how long sender_stop waits for requests in flight */
#define PAUSE_MS 1000  /* pause after an error of the store */
#define SHARE_MS 200   /* pause while no account may have more in flight */

/* A request that platen-webhook is sending. */
struct in_flight {
    uint64_t ticket; /* 0: the slot is free */
    int64_t deadline;
    struct delivery delivery;
};

/* Settings that own their texts. */
struct terms {
    struct sender_terms values;
    struct webhook_own_terms requests; /* of values.requests */
};

struct sender {
    struct sender_config config; /* without its terms */
    char program[PATH_MAX];
    pthread_t thread;
    int wake; /* eventfd */
    atomic_bool stopping;

    pthread_mutex_t lock; /* guards the members below */
    struct terms *next;   /* new settings; NULL: none */

    /* The members below belong to the thread. */
    struct terms *terms;
    bool waits;            /* waits for requests in flight to end, to use new settings */
    struct program helper; /* platen-webhook */
    uint64_t files;        /* peer_files_state when the helper was started */
    struct in_flight in_flight[WEBHOOK_AT_ONCE];
    size_t n_in_flight;
    uint64_t serial;
    struct delivery_result results[WEBHOOK_AT_ONCE];
    size_t n_results; /* together with requests in flight never more than WEBHOOK_AT_ONCE */
    bool stuck;       /* storing the results failed */
    int64_t next_at;  /* wall time when the next delivery is due; 0: none */
    int64_t used_at;  /* monotonic time when the helper last had a request */
};

static void note(const struct delivery *delivery, const struct delivery_result *result,
                 bool forbidden)
{
    const struct store_outcome *o = &result->stored;

    metric_add(METRIC_WEBHOOK_ATTEMPTS, result->label, 1);
    metric_observe(METRIC_WEBHOOK_SECONDS, NULL, (double) o->duration_ms / 1e3);
    if (o->state != DELIVERY_WAITING)
        metric_add(METRIC_WEBHOOKS_ENDED, delivery_status(o->state), 1);
    log_info("webhook.attempt", KV("job", delivery->job_id), KV("delivery", delivery->id),
             KV("attempt", delivery->attempts + 1), KV("end", result->label),
             KV("status", o->http_status), KV("ms", o->duration_ms),
             KV("state", delivery_status(o->state)), KV("forbidden", forbidden ? "yes" : "no"));
}

/* Ends a request; its result waits to be stored. */
static void end_request(struct sender *s, struct in_flight *sent,
                        const struct webhook_response *response)
{
    struct delivery_result *result = &s->results[s->n_results++];
    uint32_t chance;

    id_random(&chance, sizeof chance);
    delivery_result_classify(&s->terms->values.retry, &sent->delivery, response, clock_wall_ms(),
                             chance, result);
    note(&sent->delivery, result, response && response->forbidden);
    delivery_free(&sent->delivery);
    sent->ticket = 0;
    s->n_in_flight--;
}

static void settle_results(struct sender *s)
{
    struct store_outcome list[WEBHOOK_AT_ONCE];
    struct err err;

    if (s->n_results == 0)
        return;
    for (size_t i = 0; i < s->n_results; i++)
        list[i] = s->results[i].stored;
    s->stuck = store_delivery_settle(s->config.request.store, list, s->n_results, &err) < 0;
    if (s->stuck)
        log_error("webhook.settle_failed", KV("why", err.msg));
    else
        s->n_results = 0;
}

/* Ends the helper, which died or misbehaved; all requests in flight count as failed. */
static void drop_helper(struct sender *s, const char *why)
{
    if (s->helper.pid < 0)
        return;
    program_end(&s->helper);
    if (s->n_in_flight == 0)
        return;
    log_warn("webhook.helper_lost", KV("requests", s->n_in_flight), KV("why", why));
    metric_add(METRIC_WORKER_RESTARTS, "platen-webhook", 1);
    for (size_t i = 0; i < WEBHOOK_AT_ONCE; i++)
        if (s->in_flight[i].ticket)
            end_request(s, &s->in_flight[i], NULL);
}

static bool start_helper(struct sender *s, struct err *err)
{
    AUTO_BUF struct buf terms = BUF_EMPTY;

    if (s->helper.pid >= 0)
        return true;
    s->files = peer_files_state();
    if (webhook_terms_pack(&s->terms->values.requests, &terms, err) < 0 ||
        program_start(s->program, PROGRAM_APART, &s->helper, err) < 0)
        return false;
    return message_send(s->helper.control, terms.data, terms.len, NULL, 0, err) == 0;
}

static void receive_responses(struct sender *s)
{
    struct webhook_response response;
    char packet[sizeof response + 1]; /* one byte more, to detect responses that are too long */

    while (s->helper.pid >= 0) {
        ssize_t got = recv(s->helper.control, packet, sizeof packet, MSG_DONTWAIT);
        struct in_flight *sent;

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        sent = got > 0 && webhook_response_read(packet, (size_t) got, &response) && response.ticket
                   ? &s->in_flight[response.ticket % WEBHOOK_AT_ONCE]
                   : NULL;
        if (!sent || sent->ticket != response.ticket) {
            drop_helper(s, got > 0 ? "it answers what was not asked" : "it ended");
            return;
        }
        end_request(s, sent, &response);
        s->used_at = clock_mono_ms();
    }
}

static void drop_late(struct sender *s)
{
    int64_t now = clock_mono_ms();

    for (size_t i = 0; i < WEBHOOK_AT_ONCE; i++)
        if (s->in_flight[i].ticket && s->in_flight[i].deadline < now) {
            drop_helper(s, "it does not answer");
            return;
        }
    if (s->helper.pid >= 0 && s->n_in_flight == 0 && s->used_at + IDLE_MS < now)
        program_end(&s->helper);
}

/* Finds a free slot; the caller knows that there is one. Its ticket identifies it later. */
static struct in_flight *claim_slot(struct sender *s)
{
    size_t i = 0;

    while (s->in_flight[i].ticket)
        i++;
    s->in_flight[i].ticket = ++s->serial * WEBHOOK_AT_ONCE + i;
    s->in_flight[i].deadline = clock_mono_ms() + s->terms->values.requests.timeout_ms + SPARE_MS;
    s->n_in_flight++;
    return &s->in_flight[i];
}

/* Takes ownership of the delivery. */
static void send_one(struct sender *s, struct delivery *delivery)
{
    struct in_flight *sent = claim_slot(s);
    AUTO_BUF struct buf request = BUF_EMPTY;
    struct err err = { .msg = "its job is gone" };

    sent->delivery = *delivery;
    *delivery = (struct delivery){ 0 };
    s->used_at = clock_mono_ms();
    if (signed_request_write(&s->config.request, &sent->delivery, sent->ticket, clock_wall_ms(),
                             &request, &err) == 1 &&
        start_helper(s, &err) &&
        message_send(s->helper.control, request.data, request.len, NULL, 0, &err) == 0)
        return;
    log_warn("webhook.not_sent", KV("job", sent->delivery.job_id), KV("why", err.msg));
    end_request(s, sent, NULL);
    /* A message that was sent in part makes the socket unusable. */
    if (request.len)
        drop_helper(s, err.msg);
}

static void free_terms(struct terms *terms)
{
    if (!terms)
        return;
    webhook_own_terms_free(&terms->requests);
    free(terms);
}

static struct terms *keep_terms(const struct sender_terms *values, struct err *err)
{
    struct terms *terms = calloc(1, sizeof *terms);

    if (!terms) {
        err_sys(err, "terms of webhooks");
        return NULL;
    }
    terms->values = *values;
    if (webhook_own_terms_copy(&terms->requests, &values->requests, err) < 0) {
        free_terms(terms);
        return NULL;
    }
    terms->values.requests = terms->requests.values;
    return terms;
}

static bool same_request_terms(const struct webhook_terms *a, const struct webhook_terms *b)
{
    return a->http == b->http && a->timeout_ms == b->timeout_ms &&
           strcmp(a->allowed, b->allowed) == 0 && strcmp(a->ca, b->ca) == 0;
}

/* Uses new settings as soon as possible: the helper keeps those that it was started with. The
 * file of authorities may have changed under the same name; so may the files of the resolver. */
static void change_terms(struct sender *s)
{
    struct terms *old = NULL;
    bool other = s->helper.pid >= 0 && peer_files_state() != s->files;

    pthread_mutex_lock(&s->lock);
    if (s->next && !other)
        other = *s->next->values.requests.ca ||
                !same_request_terms(&s->next->values.requests, &s->terms->values.requests);
    s->waits = other && s->n_in_flight;
    if (s->next && !s->waits) {
        old = s->terms;
        s->terms = s->next;
        s->next = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    if (other && !s->waits && s->helper.pid >= 0)
        program_end(&s->helper);
    free_terms(old);
}

static size_t room(const struct sender *s)
{
    if (s->waits)
        return 0;
    return WEBHOOK_AT_ONCE - s->n_in_flight - s->n_results;
}

static void send_due(struct sender *s)
{
    AUTO_STORE_DELIVERIES struct store_deliveries due = { 0 };
    int64_t now = clock_wall_ms();
    struct store *store = s->config.request.store;
    struct err err;

    if (store_delivery_next(store, &s->next_at, &err) == 0 &&
        (s->next_at == 0 || s->next_at > now ||
         (store_delivery_claim(store, now, room(s), &due, &err) == 0 &&
          store_delivery_next(store, &s->next_at, &err) == 0))) {
        for (size_t i = 0; i < due.n; i++)
            send_one(s, &due.list[i]);
        /* What is due belongs to accounts that have their share of the places. */
        if (due.n == 0 && s->next_at && s->next_at <= now)
            s->next_at = now + SHARE_MS;
        return;
    }
    log_error("webhook.claim_failed", KV("why", err.msg));
    s->next_at = now + PAUSE_MS;
}

/* Waits for a response, a wake-up, or the next due delivery. */
static void wait_for_more(struct sender *s)
{
    struct pollfd ready[2] = { { .fd = s->wake, .events = POLLIN },
                               { .fd = s->helper.control, .events = POLLIN } };
    int64_t ms = s->n_in_flight ? PAUSE_MS : IDLE_MS, until = s->next_at - clock_wall_ms();
    uint64_t knocks;

    if (s->next_at && room(s) > 0 && until < ms)
        ms = until > 0 ? until : 0;
    if (s->n_results) /* some could not be sent, or their results not be stored */
        ms = s->stuck ? PAUSE_MS : 0;
    poll(ready, 2, (int) ms);
    if (ready[0].revents && read(s->wake, &knocks, sizeof knocks) < 0)
        return; /* another wake-up was consumed with it */
}

static void *run_sender(void *arg)
{
    struct sender *s = arg;
    int64_t stop_at = 0;

    while (stop_at == 0 || (s->n_in_flight && clock_mono_ms() < stop_at)) {
        receive_responses(s);
        drop_late(s);
        settle_results(s);
        change_terms(s);
        if (atomic_load(&s->stopping) && stop_at == 0)
            stop_at = clock_mono_ms() + STOP_MS;
        if (stop_at == 0 && room(s) > 0)
            send_due(s);
        if (stop_at)
            s->next_at = 0;
        metric_set(METRIC_WEBHOOKS_SENDING, (double) s->n_in_flight);
        if (stop_at == 0 || s->n_in_flight)
            wait_for_more(s);
    }
    receive_responses(s);
    settle_results(s);
    program_end(&s->helper);
    return NULL;
}

static void free_sender(struct sender *s)
{
    free_terms(s->terms);
    free_terms(s->next);
    pthread_mutex_destroy(&s->lock);
    for (size_t i = 0; i < WEBHOOK_AT_ONCE; i++)
        delivery_free(&s->in_flight[i].delivery);
    if (s->wake >= 0)
        close(s->wake);
    free(s);
}

struct sender *sender_new(const struct sender_config *config, struct err *err)
{
    struct sender *s = calloc(1, sizeof *s);
    int back;

    if (!s) {
        err_sys(err, "sender");
        return NULL;
    }
    s->config = *config;
    pthread_mutex_init(&s->lock, NULL);
    s->helper = PROGRAM_NONE;
    s->terms = keep_terms(&config->terms, err);
    s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s->terms && s->wake < 0)
        err_sys(err, "eventfd");
    if (!s->terms || s->wake < 0 ||
        program_path(config->programs, "platen-webhook", s->program, sizeof s->program, err) < 0) {
        free_sender(s);
        return NULL;
    }
    if (access(s->program, X_OK) < 0)
        log_warn("program.absent", KV("program", "platen-webhook"),
                 KV("why", "no webhook can be delivered"));
    back = store_delivery_reclaim(config->request.store, err);
    if (back > 0)
        log_info("webhook.put_back", KV("deliveries", back));
    if (back < 0 || thread_start(&s->thread, "sender", run_sender, s, err) < 0) {
        free_sender(s);
        return NULL;
    }
    return s;
}

int sender_change(struct sender *sender, const struct sender_terms *terms, struct err *err)
{
    struct terms *next = keep_terms(terms, err), *unused;

    if (!next)
        return -1;
    pthread_mutex_lock(&sender->lock);
    unused = sender->next;
    sender->next = next;
    pthread_mutex_unlock(&sender->lock);
    free_terms(unused);
    sender_wake(sender);
    return 0;
}

void sender_wake(struct sender *sender)
{
    const uint64_t one = 1;

    if (sender && write(sender->wake, &one, sizeof one) < 0)
        /* the counter is full, so the thread is awake */
        log_debug("webhook.knock", KV("errno", errno));
}

void sender_stop(struct sender *sender)
{
    if (!sender)
        return;
    atomic_store(&sender->stopping, true);
    sender_wake(sender);
    pthread_join(sender->thread, NULL);
    free_sender(sender);
}
