/*
 * scope: locals that clean up after themselves, so that every error path is one `return`. They
 * start empty (NULL, -1). Never declare one inside fz_try: longjmp skips the cleanup.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline void scope_free(void *p)
{
    free(*(void **) p);
}

static inline void scope_close(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline void scope_fclose(FILE **file)
{
    if (*file)
        fclose(*file);
}

/* Moves a pointer or descriptor out of its scope: the local is empty afterwards. */
static inline void *scope_take_ptr(void *p)
{
    void *taken = *(void **) p;

    *(void **) p = NULL;
    return taken;
}

static inline int scope_take_fd(int *fd)
{
    int taken = *fd;

    *fd = -1;
    return taken;
}

#define AUTO_FREE   __attribute__((cleanup(scope_free)))
#define AUTO_CLOSE  __attribute__((cleanup(scope_close)))
#define AUTO_FCLOSE __attribute__((cleanup(scope_fclose)))
