#include "base/clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static _Atomic int64_t held, ahead_of_system;

static int64_t read_clock(clockid_t id, int64_t per_second)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t) t.tv_sec * per_second + t.tv_nsec / (1000000000 / per_second);
}

int64_t clock_wall_ms(void)
{
    int64_t now = atomic_load(&held);

    return now ? now : clock_system_ms() + atomic_load(&ahead_of_system);
}

int64_t clock_system_ms(void)
{
    return read_clock(CLOCK_REALTIME, 1000);
}

void clock_follow(int64_t ahead_ms)
{
    atomic_store(&ahead_of_system, ahead_ms);
}

int64_t clock_ahead_ms(void)
{
    return atomic_load(&ahead_of_system);
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

/* Reads a number of n digits and moves past it. -1: there are fewer digits. */
static int read_digits(const char **text, int n)
{
    int value = 0;

    for (int i = 0; i < n; i++, (*text)++) {
        if (**text < '0' || **text > '9')
            return -1;
        value = value * 10 + (**text - '0');
    }
    return value;
}

static bool read_number(const char **text, int n, char after, int min, int max, int *out)
{
    *out = read_digits(text, n);
    if (*out < min || *out > max || (after && **text != after))
        return false;
    *text += after != '\0';
    return true;
}

/* Reads ".123456" as milliseconds; 0 if there is no point, -1 if no digit follows it. */
static int read_decimals(const char **text)
{
    int ms = 0, n = 0;

    if (**text != '.')
        return 0;
    for ((*text)++; **text >= '0' && **text <= '9'; (*text)++, n++)
        if (n < 3)
            ms = ms * 10 + (**text - '0');
    for (int i = n; i < 3; i++)
        ms *= 10;
    return n ? ms : -1;
}

/* Reads the offset of local time from UTC in minutes. */
static bool read_offset(const char **text, int *minutes)
{
    int sign = **text == '-' ? -1 : 1, hour, minute;

    *minutes = 0;
    if (**text == 'Z' || **text == 'z')
        return *++*text == '\0';
    if (**text != '+' && **text != '-')
        return false;
    ++*text;
    if (!read_number(text, 2, ':', 0, 23, &hour) || !read_number(text, 2, '\0', 0, 59, &minute))
        return false;
    *minutes = sign * (hour * 60 + minute);
    return **text == '\0';
}

bool clock_parse(const char *text, int64_t *wall_ms)
{
    struct tm tm = { 0 };
    int ms, minutes, day;
    time_t seconds;

    if (!read_number(&text, 4, '-', 1970, 9999, &tm.tm_year) ||
        !read_number(&text, 2, '-', 1, 12, &tm.tm_mon) ||
        !read_number(&text, 2, '\0', 1, 31, &tm.tm_mday) || (*text != 'T' && *text != 't') ||
        (text++, false) || !read_number(&text, 2, ':', 0, 23, &tm.tm_hour) ||
        !read_number(&text, 2, ':', 0, 59, &tm.tm_min) ||
        !read_number(&text, 2, '\0', 0, 60, &tm.tm_sec) || (ms = read_decimals(&text)) < 0 ||
        !read_offset(&text, &minutes))
        return false;
    day = tm.tm_mday;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    if (tm.tm_sec == 60)
        tm.tm_sec = 59; /* a leap second, which Unix time does not have */
    seconds = timegm(&tm);
    if (tm.tm_mday != day)
        return false; /* 31 February */
    seconds -= (time_t) minutes * 60;
    if (seconds < 0)
        return false;
    *wall_ms = (int64_t) seconds * 1000 + ms;
    return true;
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
