#include "worker/allocation.h"

#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t refused;

bool allocation_refused(void)
{
    return refused;
}

#if defined __GLIBC__ && !defined PLATEN_SANITIZERS

/* glibc lets a program replace malloc, and keeps its own within reach under these names. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);

void *malloc(size_t n)
{
    void *got = __libc_malloc(n);

    if (!got)
        refused = 1;
    return got;
}

void *calloc(size_t n, size_t size)
{
    void *got = __libc_calloc(n, size);

    if (!got)
        refused = 1;
    return got;
}

void *realloc(void *old, size_t n)
{
    void *got = __libc_realloc(old, n);

    if (!got && n)
        refused = 1;
    return got;
}

#endif
