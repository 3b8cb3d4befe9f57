/* times: what the programs here share: a clock and percentiles, in milliseconds. */
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

static inline double times_now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static inline int times_compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static inline void times_sort(double *times, size_t n)
{
    qsort(times, n, sizeof *times, times_compare);
}

/* Of n sorted times, n > 0. */
static inline double times_percentile(const double *times, size_t n, size_t percent)
{
    return times[percent >= 100 ? n - 1 : n * percent / 100];
}
