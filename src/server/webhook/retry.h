/* retry: decides when a failed delivery is attempted again, and when it is given up. */
#pragma once

#include <stdint.h>

#include "data/job/delivery.h"

struct retry_rules {
    /* delay before the second attempt; each delay is three times the one before */
    int64_t first_ms;
    /* time after its creation, or after the last request to repeat it, when it is given up */
    int64_t for_ms;
};

#define RETRY_LONGEST_MS (2LL * 3600 * 1000) /* limit of the delay between two attempts */

/*
 * When to attempt a delivery again whose latest attempt failed `now`; 0: never. `after_ms`: the
 * delay that the receiver asked for (Retry-After), 0 if none. `chance`: any number; it varies the
 * delay by up to a quarter, so that deliveries that failed together are not repeated together. The
 * delivery's `tries` does not include the latest attempt.
 */
int64_t retry_at(const struct retry_rules *rules, const struct delivery *delivery, int64_t now,
                 int64_t after_ms, uint32_t chance);
