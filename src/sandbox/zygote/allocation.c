#include "sandbox/zygote/allocation.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t refused;

bool allocation_refused(void)
{
    return refused;
}

#if defined __GLIBC__ && !defined PLATEN_SANITIZERS

/* glibc lets a program replace malloc, and provides its own functions under these names. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

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

void *aligned_alloc(size_t alignment, size_t n)
{
    void *got = __libc_memalign(alignment, n);

    if (!got)
        refused = 1;
    return got;
}

int posix_memalign(void **out, size_t alignment, size_t n)
{
    void *got;

    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    got = aligned_alloc(alignment, n);
    if (!got)
        return ENOMEM;
    *out = got;
    return 0;
}

#endif
