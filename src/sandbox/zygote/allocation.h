/*
 * allocation: remembers whether an allocation has ever failed in this process (RLIMIT_AS), so that
 * the consequence - a failed tool, an uncaught bad_alloc, a crash - is reported as lack of memory.
 * Wraps malloc of the whole program, including libraries and operator new.
 */
#pragma once

#include <stdbool.h>

/* Whether an allocation has failed. May be called in a signal handler. */
bool allocation_refused(void);
