/* retry: when a delivery that failed is tried again, and when it is given up. */
#pragma once

#include <stdint.h>

#include "job/delivery.h"

struct retry_rules {
    int64_t first_ms; /* before the second try; each wait is three times the one before */
    int64_t for_ms;   /* after so long since it was begun, or asked for again, it is given up */
};

#define RETRY_LONGEST_MS (2LL * 3600 * 1000) /* between two tries */

/*
 * When to try a delivery again whose newest try failed `now`; 0: not any more. `after_ms`: how long
 * the receiver asked to be left alone (Retry-After), 0 if it did not. `chance`: any number; the
 * wait is up to a quarter longer or shorter by it, so that what failed together does not come back
 * together. Of the delivery, tries does not count the newest one yet.
 */
int64_t retry_at(const struct retry_rules *rules, const struct delivery *delivery, int64_t now,
                 int64_t after_ms, uint32_t chance);
