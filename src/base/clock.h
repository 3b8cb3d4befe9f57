/*
 * clock: the only source of time, so that tests can hold it.
 * Wall time is Unix time in milliseconds, UTC; monotonic time has no meaning but its differences.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

int64_t clock_wall_ms(void);
/* What the machine says, whatever clock_follow was told. */
int64_t clock_system_ms(void);
int64_t clock_mono_ms(void);
int64_t clock_mono_us(void);

/* RFC 3339, "2026-11-21T07:01:59.123Z". */
#define CLOCK_TEXT 32
void clock_format(int64_t wall_ms, char out[static CLOCK_TEXT]);
/* Reads an RFC 3339 date-time, in any offset and with any number of decimals (those after the
 * third are dropped). False: the text is not one; *wall_ms is as it was. Years 1970 to 9999. */
bool clock_parse(const char *text, int64_t *wall_ms);

/* First millisecond of the UTC calendar month that holds wall_ms, and of the one after. */
int64_t clock_month_start(int64_t wall_ms);
int64_t clock_month_end(int64_t wall_ms);

/* Wall time is that many milliseconds ahead of the machine's from now on: a server follows the
 * clock that it shares with others. */
void clock_follow(int64_t ahead_ms);
int64_t clock_ahead_ms(void);

/* Tests only: wall time stands at wall_ms until called with 0. */
void clock_hold(int64_t wall_ms);
