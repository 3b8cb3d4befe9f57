/* rate: how often things happened lately, for people; metrics are for machines. Safe from any
 * thread. */
#pragma once

#include <stdint.h>

enum rate {
    RATE_REQUESTS,
    RATE_ACCEPTED,
    RATE_COMPLETED,
    RATE_FAILED,
    RATE_COUNT,
};

#define RATE_SECONDS 900 /* the longest that is remembered */

void rate_note(enum rate rate);
/* In the last so many seconds, 10 to RATE_SECONDS; exact to 10 s. */
int64_t rate_recent(enum rate rate, int64_t seconds);
