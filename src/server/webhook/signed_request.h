/* signed_request: builds the HTTP request of a delivery: the job's JSON with its signatures. */
#pragma once

#include "data/job/job.h"
#include "data/store/store.h"
#include "server/webhook/request.h"

struct signed_request_config {
    struct store *store;
    /* Writes the request's body: the job as its client sees it. */
    int (*body)(void *arg, const struct job *job, struct buf *out, struct err *err);
    void *arg;
};

/* Appends the request. An account without a secret gets one. Returns 1, or 0 if the job is gone.
 * `now` is Unix ms. `out` contains nothing that is not sent. */
int signed_request_write(const struct signed_request_config *config,
                         const struct delivery *delivery, uint64_t ticket, int64_t now,
                         struct buf *out, struct err *err);

/* Lists the *n secrets of an account to sign with; makes one if it has none. `now` is Unix ms. */
int signed_request_secrets(struct store *store, int64_t key_id, int64_t now,
                           struct store_secret secrets[static STORE_SECRETS], size_t *n,
                           struct err *err);
