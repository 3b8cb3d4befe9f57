/* store_rules: what every implementation of the store decides alike. */
#pragma once

#include "store/store.h"

/* Whether a job of that many bytes may be added to what its account has used and left unfinished:
 * 0, or -1 with ERR_QUOTA_EXCEEDED or ERR_TOO_MANY_JOBS. */
int store_judge(const struct store_terms *terms, const struct usage *used, int64_t unfinished,
                int64_t bytes, struct err *err);

/* A replay if the fingerprints are the same, or the stored one was erased: 0, else -1 with
 * ERR_IDEMPOTENCY_CONFLICT. */
int store_compare(const char *fingerprint, const struct store_terms *terms, struct err *err);

/* An account's place among those who wait, as store_claim has it. */
struct store_share {
    int64_t turn; /* machine time its jobs were given, ms, on a clock that all accounts share */
    int64_t lean; /* time given to short jobs beyond that of long ones, while both waited */
};

bool store_is_long(int64_t cost_ms);
/* Which kind an account's next job is of: its long one, if it has one, or its short one. */
bool store_takes_long(const struct store_share *share, bool has_short, bool has_long);
/* A job of that kind was claimed; `both` kinds were waiting. Moves the common clock on. */
void store_charge(struct store_share *share, int64_t *clock, int64_t cost_ms, bool both);

/* The end with only the half that goes with its state. */
struct store_end store_end_half(const struct store_end *end);

/* The states that store_list shows for its `status`: one bit (1 << state) each. */
int store_states_of(int status);

/* Why a key cannot be removed: ERR_INVALID_REQUEST, -1. */
int store_refuse_valid(struct err *err);
int store_refuse_busy(struct err *err);

/* The earlier of two ends, 0 being none. */
int64_t store_earlier(int64_t a, int64_t b);
