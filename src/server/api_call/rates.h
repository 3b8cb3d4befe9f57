/*
 * rates: how many jobs an account may submit in a minute. The window slides: of any 60 seconds none
 * has more. A server alone decides by what it counted. Servers that share a store get permits from
 * it, several at a time where the limit is large, and decide by these: an account gets at most
 * 0.5 % less for each other server that holds some, and never more.
 */
#pragma once

#include <stdint.h>

#include "data/store/store.h"

struct rates;

/* The limit and what is left of it. */
struct rates_state {
    int64_t limit, left; /* limit 0: there is none */
    int64_t seconds;     /* until more is left, rounded up; 0 if nothing was used */
};

struct rates *rates_new(struct err *err);
void rates_free(struct rates *rates);

/* Counts a job of the account. ERR_RATE_LIMITED: it is one too many; or an error of the store.
 * *rate is set in every case. */
int rates_count(struct rates *rates, struct store *store, int64_t account, int64_t limit,
                struct rates_state *rate, struct err *err);
/* What is left, without counting anything. */
void rates_look(struct rates *rates, int64_t account, int64_t limit, struct rates_state *rate);

/* How many permits a server asks for at a time: with a large limit, fewer questions; with a small
 * one, or when little is left, one for each job. */
static inline int64_t rates_slice(int64_t limit)
{
    return limit >= 400 ? limit / 200 : 1;
}
