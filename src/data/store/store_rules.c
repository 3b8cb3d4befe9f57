#include "data/store/store_rules.h"

#include <string.h>

int store_rules_check(const struct store_terms *terms, const struct usage *used, int64_t unfinished,
                      int64_t bytes, struct err *err)
{
    int64_t all;

    if (used->requests >= terms->max_requests)
        return err_field(err, ERR_QUOTA_EXCEEDED, "requests",
                         "the requests of this month are used up: wait for the next month or "
                         "choose a larger plan");
    if (__builtin_add_overflow(used->bytes, bytes, &all) || all > terms->max_bytes)
        return err_field(err, ERR_QUOTA_EXCEEDED, "data",
                         "these files exceed the remaining data volume of this month: wait for the "
                         "next month or choose a larger plan");
    if (unfinished >= terms->max_unfinished)
        return err_set(
            err, ERR_TOO_MANY_JOBS,
            "%lld jobs of this account are unfinished, and its plan allows no more: wait "
            "until one has ended",
            (long long) unfinished);
    return 0;
}

int store_compare(const char *fingerprint, const struct store_terms *terms, struct err *err)
{
    if (*fingerprint && strcmp(fingerprint, terms->fingerprint) != 0)
        return err_set(err, ERR_IDEMPOTENCY_CONFLICT,
                       "this Idempotency-Key was used for another request: choose a new one");
    return 0;
}

bool store_is_long(int64_t cost_ms)
{
    return cost_ms >= STORE_LONG_MS;
}

bool store_share_runs_long(const struct store_share *share, bool has_short, bool has_long)
{
    return has_long && (!has_short || share->lean > 0);
}

void store_charge(struct store_share *share, int64_t *clock, int64_t cost_ms, bool both)
{
    int64_t cost = cost_ms > 0 ? cost_ms : 1;

    if (share->turn > *clock)
        *clock = share->turn;
    share->turn = *clock + cost;
    if (!both)
        share->lean = 0; /* the other kind had nothing to do: it is owed nothing */
    else
        share->lean += store_is_long(cost_ms) ? -cost : cost;
}

struct store_end store_end_half(const struct store_end *end)
{
    struct store_end half = *end;

    if (end->state == JOB_FAILED) {
        half.output_name = half.outputs_json = half.warnings_json = NULL;
        half.output_bytes = 0;
        half.result = NULL;
    } else {
        half.code = ERR_INTERNAL;
        half.message = half.field = NULL;
    }
    return half;
}

int store_states_of(int status)
{
    int states = 0;

    for (enum job_state s = 0; s < JOB_EXPIRED; s++)
        if (status < 0 || strcmp(job_status(s), job_status((enum job_state) status)) == 0)
            states |= 1 << s;
    return states;
}

int store_delivery_states_of(int status)
{
    int states = 0;

    for (int state = 0; state < DELIVERY_STATES; state++)
        if (status < 0 || strcmp(delivery_status((enum delivery_state) state),
                                 delivery_status((enum delivery_state) status)) == 0)
            states |= 1 << state;
    return states;
}

int64_t store_earlier(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

int store_refuse_valid(struct err *err)
{
    return err_set(err, ERR_INVALID_REQUEST, "this key still works: revoke it first");
}

int store_refuse_busy(struct err *err)
{
    return err_set(
        err, ERR_INVALID_REQUEST,
        "this is the last key of its account, which has unfinished jobs or webhooks: try "
        "again when they have ended");
}
