/*
 * shipper: sends results to the addresses that clients named (shipping.h). Each attempt has a
 * thread, which has the result sent by a platen-webhook of its own: this process does not use the
 * network. A claim of a shipment is a lease, which the shipper renews, so that another server, or
 * this one after a restart, sends what was cut off. It is done after the store has it.
 */
#pragma once

#include "data/blob/blob.h"
#include "data/store/store.h"
#include "server/dispatch/hub.h"
#include "server/webhook/request.h"
#include "server/webhook/retry.h"
#include "server/webhook/sender.h"

struct shipper;

struct shipper_terms {
    struct webhook_terms requests; /* the caller's, until shipper_new or _change returns */
    struct retry_rules retry;
};

struct shipper_config {
    struct store *store;
    struct blob_store *blobs;
    struct hub *hub;
    struct sender *sender; /* of webhooks that wait for what is sent */
    struct shipper_terms terms;
    const char *programs; /* folder of the programs; "": the folder of this program */
};

/* NULL on failure. */
struct shipper *shipper_new(const struct shipper_config *config, struct err *err);
/* Uses other settings for what is sent from now on. On ERR_INTERNAL nothing changes. */
int shipper_change(struct shipper *shipper, const struct shipper_terms *terms, struct err *err);
/* Says that there may be something to send. May be called with NULL. */
void shipper_wake(struct shipper *shipper);
/* Stops what is being sent; it is sent again by another server, or after the next start. Frees the
 * shipper. May be NULL. */
void shipper_stop(struct shipper *shipper);
