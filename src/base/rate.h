/* rate: how often events happened lately, for people to read; metrics are for machines. May be
 * called from any thread. */
#pragma once

#include <stdint.h>

enum rate {
    RATE_REQUESTS,
    RATE_ACCEPTED,
    RATE_COMPLETED,
    RATE_FAILED,
    RATE_COUNT,
};

#define RATE_SECONDS 900 /* the longest period that is remembered */

/* Counts an event that happens now. */
void rate_note(enum rate rate);
/* The number of events in the last `seconds` seconds (10 to RATE_SECONDS), exact to 10 s. */
int64_t rate_recent(enum rate rate, int64_t seconds);
