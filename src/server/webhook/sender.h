/*
 * sender: the thread that delivers webhooks. It claims deliveries that are due from the store,
 * hands them to platen-webhook (started with the first one, ended after an idle minute) and stores
 * their results. Only the outcome of a request is accepted from the helper. If the helper exits,
 * its in-flight deliveries count as failed and are retried.
 */
#pragma once

#include "server/webhook/retry.h"
#include "server/webhook/signed_request.h"

struct sender;

/* The settings that a reload may change. */
struct sender_terms {
    struct webhook_terms requests; /* the caller owns its texts */
    struct retry_rules retry;
};

struct sender_config {
    struct signed_request_config request;
    const char *programs; /* folder of the programs; "": the folder of this program */
    struct sender_terms terms;
};

/* Starts the thread. No other sender may use this store: deliveries that another one had claimed
 * are claimed again. */
struct sender *sender_new(const struct sender_config *config, struct err *err);
/*
 * Uses other settings from now on. Requests in flight end with the old settings, and no other is
 * sent until they have: the helper has one set of settings as long as it lives. On ERR_INTERNAL (no
 * memory) nothing changes.
 */
int sender_change(struct sender *sender, const struct sender_terms *terms, struct err *err);
/* Says that a delivery may be due now. Never waits; `sender` may be NULL. */
void sender_wake(struct sender *sender);
/* Claims nothing more; waits a moment for requests in flight, and leaves the rest for the next
 * start. */
void sender_stop(struct sender *sender);
