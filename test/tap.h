/*
 * tap: the whole test framework. One test program prints one TAP stream (Test Anything Protocol);
 * the plan is printed last, so a program that dies early is never taken for one that passed.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Weak: a program of several files has one count. */
__attribute__((weak)) int tap_count, tap_failed;

__attribute__((format(printf, 4, 5), unused)) static bool tap_ok(bool passed, const char *file,
                                                                 int line, const char *fmt, ...)
{
    va_list ap;

    printf("%sok %d - ", passed ? "" : "not ", ++tap_count);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    printf("\n");
    if (!passed) {
        tap_failed++;
        printf("# %s:%d\n", file, line);
    }
    fflush(stdout);
    return passed;
}

/* The description reads as a sentence of the specification. */
#define ok(cond, ...) tap_ok((cond), __FILE__, __LINE__, __VA_ARGS__)

#define is_str(got, want, ...)                                                                     \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        if (!ok(got_ && strcmp(got_, want_) == 0, __VA_ARGS__))                                    \
            printf("#   got: %s\n#  want: %s\n", got_ ? got_ : "(null)", want_);                   \
    } while (0)

#define is_int(got, want, ...)                                                                     \
    do {                                                                                           \
        long long got_ = (long long) (got), want_ = (long long) (want);                            \
        if (!ok(got_ == want_, __VA_ARGS__))                                                       \
            printf("#   got: %lld\n#  want: %lld\n", got_, want_);                                 \
    } while (0)

static inline int done_testing(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}
