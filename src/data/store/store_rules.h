/* store_rules: decisions that all implementations of the store share. */
#pragma once

#include "data/store/store.h"

/* Whether a job of that size may be added to the account's usage and unfinished jobs: 0, or -1
 * with ERR_QUOTA_EXCEEDED or ERR_TOO_MANY_JOBS. */
int store_rules_check(const struct store_terms *terms, const struct usage *used, int64_t unfinished,
                      int64_t bytes, struct err *err);

/* Compares a request with the earlier one that had its idempotency key. Returns 0 for a replay: the
 * fingerprints are equal, or the stored one was erased; else -1 with
 * ERR_IDEMPOTENCY_CONFLICT. */
int store_compare(const char *fingerprint, const struct store_terms *terms, struct err *err);

/* An account's position in fair queueing (store_claim). */
struct store_share {
    int64_t turn; /* machine time given to its jobs, in ms, on a clock that all accounts share */
    int64_t lean; /* time given to short jobs beyond that of long ones, while both waited */
};

/* Whether a job of this cost is a long one: from STORE_LONG_MS on. */
bool store_is_long(int64_t cost_ms);
/* Whether an account's next job is a long one rather than a short one. */
bool store_share_runs_long(const struct store_share *share, bool has_short, bool has_long);
/* Charges an account for a job of this cost that was claimed. `both`: short and long jobs of the
 * account were waiting. Advances the common clock. */
void store_charge(struct store_share *share, int64_t *clock, int64_t cost_ms, bool both);

/* A copy of the end in which only the members that belong to its state are set. */
struct store_end store_end_half(const struct store_end *end);

/* The states that store_list shows for its `status`, as bits (1 << state). */
int store_states_of(int status);

/* The states that store_delivery_page shows for its `status`, as bits (1 << state). */
int store_delivery_states_of(int status);

/* Set the error for a key that cannot be removed, ERR_INVALID_REQUEST, and return -1: because it is
 * still valid; because its account has unfinished jobs or webhooks to send. */
int store_refuse_valid(struct err *err);
int store_refuse_busy(struct err *err);

/* The earlier of two ends, where 0 means none. */
int64_t store_earlier(int64_t a, int64_t b);
