/* letter: a delivery made ready to be sent: the job's JSON, signed, as an order for the courier. */
#pragma once

#include "hook/order.h"
#include "job/job.h"
#include "store/store.h"

struct letter_config {
    struct store *store;
    /* The body: the job as its client sees it. */
    int (*body)(void *cls, const struct job *job, struct buf *out, struct err *err);
    void *cls;
};

/* Appends the order. An account without a secret gets one. 1: done; 0: the job is gone. `now` is
 * Unix ms; `out` says nothing that is not sent. */
int letter_write(const struct letter_config *config, const struct delivery *delivery,
                 uint64_t ticket, int64_t now, struct buf *out, struct err *err);

/* Makes the account's secrets what they must be to sign with: at least one. */
int letter_secrets(struct store *store, int64_t key_id, int64_t now,
                   struct store_secret secrets[static STORE_SECRETS], size_t *n, struct err *err);
