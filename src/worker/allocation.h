/*
 * allocation: remembers whether this process was ever refused memory (RLIMIT_AS), so that what
 * follows from it - a failed tool, an uncaught bad_alloc, a crash - is called by its name. Wraps
 * malloc of the whole program, the libraries' and operator new included.
 */
#pragma once

#include <stdbool.h>

/* Safe in a signal handler. */
bool allocation_refused(void);
