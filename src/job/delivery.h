/*
 * delivery: the word of a job's end to the address its submission named (callbackUrl). A plain
 * value; begun when the job ends, gone with the job.
 *
 *     WAITING <-> SENDING -> DELIVERED or FAILED -> WAITING (when it is asked for again)
 */
#pragma once

#include <stdint.h>

#include "base/id.h"

enum delivery_state {
    DELIVERY_WAITING,   /* for its time (next_at), or for others to the same host */
    DELIVERY_SENDING,   /* somebody took it to send it now */
    DELIVERY_DELIVERED, /* the receiver said 2xx */
    DELIVERY_FAILED,    /* given up */
    DELIVERY_STATES
};

/* What a client sees: "pending", "delivered", "failed". */
const char *delivery_status(enum delivery_state state);

struct delivery {
    char id[ID_TEXT]; /* webhook-id: the same for every attempt */
    char job_id[ID_TEXT];
    int64_t key_id;
    char *url; /* owned */
    enum delivery_state state;
    int32_t attempts; /* in all */
    int32_t tries;    /* of these since `since` */
    /* Unix milliseconds; 0: not yet. */
    int64_t created_at, next_at, last_at;
    int64_t since; /* when it was begun, or was last asked for again */

    /* of the last attempt; texts are owned, NULL when absent */
    int32_t http_status; /* 0: there was no answer */
    int64_t duration_ms;
    char *error;   /* one plain sentence; NULL when it was delivered */
    char *excerpt; /* of the answer's body */
};

/* Frees what the delivery owns and empties it. */
void delivery_free(struct delivery *delivery);
#define AUTO_DELIVERY __attribute__((cleanup(delivery_free)))

/* Scheme, host and port of an address, as "https://example.com:8443": deliveries that share it wait
 * for each other. Of an address that webhook/callback.h took. */
#define DELIVERY_HOST 300
void delivery_host(const char *url, char out[static DELIVERY_HOST]);
