/*
 * delivery_result: what a response, or the lack of one, means for a delivery: delivered, to be
 * retried, or given up.
 */
#pragma once

#include "data/store/store.h"
#include "server/webhook/request.h"
#include "server/webhook/retry.h"

struct delivery_result {
    struct store_outcome stored; /* its texts point to the members below */
    /* value of the metrics' label `end`: "delivered", "rejected", "timeout", ... */
    const char *label;
    char error[160];
    char excerpt[WEBHOOK_EXCERPT + 1];
};

/* Decides what a response means for the delivery. `response` NULL: platen-webhook ended before it
 * answered. `chance` as for retry_at. */
void delivery_result_classify(const struct retry_rules *retry, const struct delivery *delivery,
                              const struct webhook_response *response, int64_t now, uint32_t chance,
                              struct delivery_result *out);

/* Sets the counters of webhook attempts and of ended webhooks to 0, so that each series exists. */
void delivery_result_init_metrics(void);
