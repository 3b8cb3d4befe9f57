/* store_rules: what every implementation of the store decides alike. */
#pragma once

#include "store/store.h"

/* Whether a job of that many bytes may be added to what its account has used and left unfinished:
 * 0, or -1 with ERR_QUOTA_EXCEEDED or ERR_TOO_MANY_JOBS. */
int store_judge(const struct store_terms *terms, const struct usage *used, int64_t unfinished,
                int64_t bytes, struct err *err);

/* A replay if the fingerprints are the same: 0, else -1 with ERR_IDEMPOTENCY_CONFLICT. */
int store_compare(const char *fingerprint, const struct store_terms *terms, struct err *err);

/* The end with only the half that goes with its state. */
struct store_end store_end_half(const struct store_end *end);

/* The states that store_list shows for its `status`: one bit (1 << state) each. */
int store_states_of(int status);

/* The earlier of two ends, 0 being none. */
int64_t store_earlier(int64_t a, int64_t b);
