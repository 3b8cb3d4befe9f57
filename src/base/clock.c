#include "base/clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static _Atomic int64_t held;

static int64_t read_clock(clockid_t id, int64_t per_second)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t) t.tv_sec * per_second + t.tv_nsec / (1000000000 / per_second);
}

int64_t clock_wall_ms(void)
{
    int64_t now = atomic_load(&held);

    return now ? now : read_clock(CLOCK_REALTIME, 1000);
}

int64_t clock_mono_ms(void)
{
    return read_clock(CLOCK_MONOTONIC, 1000);
}

int64_t clock_mono_us(void)
{
    return read_clock(CLOCK_MONOTONIC, 1000000);
}

void clock_format(int64_t wall_ms, char out[static CLOCK_TEXT])
{
    time_t seconds = (time_t) (wall_ms / 1000);
    struct tm tm;
    size_t n;

    gmtime_r(&seconds, &tm);
    n = strftime(out, CLOCK_TEXT, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(out + n, CLOCK_TEXT - n, ".%03dZ", (int) (wall_ms % 1000));
}

static int64_t month_at(int64_t wall_ms, int ahead)
{
    time_t seconds = (time_t) (wall_ms / 1000);
    struct tm tm;

    gmtime_r(&seconds, &tm);
    tm = (struct tm){ .tm_year = tm.tm_year, .tm_mon = tm.tm_mon + ahead, .tm_mday = 1 };
    return (int64_t) timegm(&tm) * 1000;
}

int64_t clock_month_start(int64_t wall_ms)
{
    return month_at(wall_ms, 0);
}

int64_t clock_month_end(int64_t wall_ms)
{
    return month_at(wall_ms, 1);
}

void clock_hold(int64_t wall_ms)
{
    atomic_store(&held, wall_ms);
}
