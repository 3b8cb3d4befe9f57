#include "server/api_call/visitors.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fnv.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "server/api_call/origin.h"

#define SLOTS   4096 /* addresses that are counted; of two in one slot the newer one starts at 0 */
#define PROBES  8    /* slots in which an address may stand */
#define HOUR_MS 3600000

enum counted { SESSIONS, JOBS, BYTES, COUNTED };

/* Networks of an IPv6 address that are counted: of one client, of one line, of one customer with
 * many, and how many times the limit of the first they have. */
static const struct {
    size_t bytes;
    int64_t times;
} networks[] = { { 8, 1 }, { 7, 2 }, { 6, 8 } };

struct slot {
    struct net_address address;
    int64_t began_ms; /* of its hour; 0: empty */
    int64_t n[COUNTED];
};

struct visitors {
    pthread_mutex_t lock; /* guards what follows */
    struct slot slots[SLOTS];
};

struct visitors *visitors_new(struct err *err)
{
    struct visitors *visitors = calloc(1, sizeof *visitors);

    if (visitors)
        pthread_mutex_init(&visitors->lock, NULL);
    else
        err_sys(err, "visitors");
    return visitors;
}

void visitors_free(struct visitors *visitors)
{
    if (visitors)
        pthread_mutex_destroy(&visitors->lock);
    free(visitors);
}

bool visitors_is(const struct key *key)
{
    return strcmp(key->plan, VISITOR_PLAN) == 0;
}

void visitors_plan(const struct config *config, struct plan *plan)
{
    *plan = (struct plan){ .name = VISITOR_PLAN,
                           .requests_per_month = config->visitor_requests,
                           .bytes_per_month = config->visitor_data,
                           .retention = config->visitor_retention,
                           .max_retention = config->visitor_retention,
                           .max_unfinished = config->visitor_jobs };
}

static bool is_ipv4(const struct net_address *address)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

    return memcmp(address->bytes, mapped, sizeof mapped) == 0;
}

/* Its first bytes, and the number of them so that networks of several sizes differ. */
static struct net_address network_of(struct net_address address, size_t bytes)
{
    memset(address.bytes + bytes, 0, sizeof address.bytes - bytes);
    address.bytes[sizeof address.bytes - 1] = (uint8_t) bytes;
    return address;
}

static size_t hash(const struct net_address *address)
{
    uint64_t h = fnv_bytes(FNV_START, address->bytes, sizeof address->bytes);

    return (size_t) (h ^ h >> 32);
}

/* Under the lock: the slot of an address; a full table gives up the hour that began first. */
static struct slot *slot_of(struct visitors *visitors, const struct net_address *address)
{
    int64_t now = clock_mono_ms();
    size_t at = hash(address);
    struct slot *oldest = NULL;

    for (size_t i = 0; i < PROBES; i++) {
        struct slot *slot = &visitors->slots[(at + i) % SLOTS];

        if (slot->began_ms && memcmp(&slot->address, address, sizeof *address) == 0) {
            if (now - slot->began_ms >= HOUR_MS)
                *slot = (struct slot){ *address, now, { 0 } };
            return slot;
        }
        if (!oldest || slot->began_ms < oldest->began_ms)
            oldest = slot;
    }
    *oldest = (struct slot){ *address, now > 0 ? now : 1, { 0 } };
    return oldest;
}

/* Adds `amount` if no network of the client has had `most` of it, times what the network has. */
static bool count_visitor(struct visitors *visitors, const struct http_request *req,
                          enum counted what, int64_t amount, int64_t most)
{
    struct slot *slots[COUNT(networks)];
    struct origin origin;
    bool counted = true;
    size_t n;

    {
        AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

        origin_find(req, config, &origin);
    }
    n = is_ipv4(&origin.seen.client) ? 1 : COUNT(networks);
    pthread_mutex_lock(&visitors->lock);
    for (size_t i = 0; i < n; i++) {
        struct net_address client = origin.seen.client;
        int64_t times = networks[i].times;

        if (n > 1)
            client = network_of(client, networks[i].bytes);
        slots[i] = slot_of(visitors, &client);
        if (slots[i]->n[what] + amount > most * times)
            counted = false;
    }
    for (size_t i = 0; i < n && counted; i++)
        slots[i]->n[what] += amount;
    pthread_mutex_unlock(&visitors->lock);
    return counted;
}

int visitors_welcome(const struct http_request *req, struct key *key, struct err *err)
{
    struct api *api = api_of(req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    char text[KEY_TEXT];

    *key = (struct key){ .name = "visitor", .plan = VISITOR_PLAN, .created_at = clock_wall_ms() };
    if (!count_visitor(api->visitors, req, SESSIONS, 1, config->visitor_sessions))
        return err_set(err, ERR_TOO_MANY_SESSIONS,
                       "too many sessions were started from your address: try again in an hour");
    key->valid_until = key->created_at + config->visitor_session;
    /* The text of this key is not kept: its browser gets the token of a session. */
    key_make(KEY_MANAGE, false, text);
    key_split(text, key->prefix, key->digest);
    explicit_bzero(text, sizeof text);
    if (store_key_add(api->store, key, err) < 0)
        return -1;
    log_info("visitor.welcomed", KV("request", req->id), KV("key", (const char *) key->prefix));
    return 0;
}

int visitors_count_job(const struct http_request *req, struct err *err)
{
    struct api *api = api_of(req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);

    if (count_visitor(api->visitors, req, JOBS, 1, config->visitor_jobs_per_hour))
        return 0;
    return err_set(err, ERR_TOO_MANY_JOBS,
                   "too many jobs were sent from your address: try again in an hour");
}

bool visitors_have_bytes(const struct http_request *req, int64_t bytes)
{
    struct api *api = api_of(req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);

    return count_visitor(api->visitors, req, BYTES, bytes, config->visitor_data_per_hour);
}

int visitors_refuse_bytes(enum err_code code, struct err *err)
{
    return err_set(err, code, "too many bytes were sent from your address: try again in an hour");
}
