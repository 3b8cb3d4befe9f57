/*
 * clock: the only source of time, so that tests can hold it. Wall time is Unix time in
 * milliseconds, UTC; of monotonic time only differences have a meaning.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

int64_t clock_wall_ms(void);
/* The machine's wall time, without the offset of clock_follow. */
int64_t clock_system_ms(void);
int64_t clock_mono_ms(void);
int64_t clock_mono_us(void);

/* Room for an RFC 3339 time such as "2026-11-21T07:01:59.123Z" and its NUL. */
#define CLOCK_TEXT 32
/* Writes a time as RFC 3339 in UTC, with milliseconds. */
void clock_format(int64_t wall_ms, char out[static CLOCK_TEXT]);
/* Reads an RFC 3339 date-time of the years 1970 to 9999, in any offset and with any number of
 * decimals (those after the third are dropped). False if the text is not one; *wall_ms is then
 * unchanged. */
bool clock_parse(const char *text, int64_t *wall_ms);

/* The first millisecond of the UTC calendar month that contains wall_ms, and of the month after
 * it. */
int64_t clock_month_start(int64_t wall_ms);
int64_t clock_month_end(int64_t wall_ms);

/* Sets wall time to the machine's plus ahead_ms from now on: servers that share a store follow
 * its clock. */
void clock_follow(int64_t ahead_ms);
/* The milliseconds that clock_follow set; 0 before. */
int64_t clock_ahead_ms(void);

/* For tests only: stops wall time at wall_ms until called with 0. */
void clock_hold(int64_t wall_ms);
