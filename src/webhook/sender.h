/*
 * sender: the thread that delivers webhooks. It claims deliveries that are due from the store,
 * hands them to platen-webhook (started with the first one, ended after an idle minute) and stores
 * their results. Only the outcome of a request is accepted from the helper. If the helper exits,
 * its in-flight deliveries count as failed and are retried.
 */
#pragma once

#include "webhook/retry.h"
#include "webhook/signed_request.h"

struct sender;

/* What a reload may change. */
struct sender_terms {
    struct webhook_terms requests; /* texts are the caller's */
    struct retry_rules retry;
};

struct sender_config {
    struct signed_request_config request;
    const char *programs; /* folder of the programs; "": that of this program */
    struct sender_terms terms;
};

/* Nobody else may be sending from this store: what another had taken is taken back. */
struct sender *sender_new(const struct sender_config *config, struct err *err);
/*
 * Other terms from now on. Requests under way end by those they began with, and until they have
 * none is begun: the helper has one set of terms as long as it lives. ERR_INTERNAL: memory is
 * short, and all stays as it was.
 */
int sender_change(struct sender *sender, const struct sender_terms *terms, struct err *err);
/* Something may be due now. Never waits; a NULL sender is told nothing. */
void sender_wake(struct sender *sender);
/* Takes nothing more; waits a moment for what is under way, leaves the rest for the next start. */
void sender_stop(struct sender *sender);
