/*
 * delivery: the notification of a job's end to the address in its submission (callbackUrl). A plain
 * value; it begins when the job ends, and is removed with the job.
 *     WAITING <-> SENDING -> DELIVERED or FAILED -> WAITING (when it is requested again)
 */
#pragma once

#include <stdint.h>

#include "base/id.h"
#include "data/job/job.h"

enum delivery_state {
    DELIVERY_WAITING,   /* for its time (next_at), or for others to the same host */
    DELIVERY_SENDING,   /* a sender has claimed it */
    DELIVERY_DELIVERED, /* the receiver responded 2xx */
    DELIVERY_FAILED,    /* given up */
    DELIVERY_STATES
};

/* The status that a client sees: "pending", "delivered", "failed". */
const char *delivery_status(enum delivery_state state);

struct delivery {
    char id[ID_TEXT]; /* webhook-id: the same for every attempt */
    char job_id[ID_TEXT];
    int64_t key_id;
    char *url; /* owned */
    enum delivery_state state;
    int32_t attempts; /* in all */
    int32_t tries;    /* attempts since `since` */
    /* Unix milliseconds; 0: not yet. */
    int64_t created_at, next_at, last_at;
    int64_t since; /* when it began, or was last requested again */

    /* The members below are of the last attempt; texts are owned, and NULL when absent. */
    int32_t http_status; /* 0: there was no response */
    int64_t duration_ms;
    char *error;   /* one plain sentence; NULL when it was delivered */
    char *excerpt; /* of the response's body */

    /* The members below are of its job, and set by store_delivery_page alone. */
    enum job_state job_state;
    int64_t job_expires_at;
};

/* Frees what the delivery owns and empties it. */
void delivery_free(struct delivery *delivery);
#define AUTO_DELIVERY __attribute__((cleanup(delivery_free)))

/* Scheme, host and port of an address, as "https://example.com:8443": deliveries to the same one
 * are limited together. For addresses that server/webhook/callback.h accepted. */
#define DELIVERY_HOST 300
void delivery_host(const char *url, char out[static DELIVERY_HOST]);
