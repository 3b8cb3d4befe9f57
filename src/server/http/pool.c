#include "server/http/pool.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/scope.h"
#include "server/http/connection.h"
#include "server/http/framing.h"
#include "server/http/internals.h"

#define WARM 32 /* connections of a thread that keep their memory */

static _Thread_local struct pool *warm[WARM];
static _Thread_local size_t next_warm;

void pool_open(struct pool *pool, int fd, bool secure)
{
    *pool = (struct pool){ .fd = fd, .settled = secure || !internals_use(INTERNALS_POOL) };
}

void pool_find(struct pool *pool, const char *request, size_t read)
{
    uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
    uint64_t received;

    if (pool->settled || (uintptr_t) request % page != 0)
        return;
    received = connection_tcp(pool->fd).tcpi_bytes_received;
    if (received < read || received - read >= page)
        return;
    pool->start = (char *) (uintptr_t) request;
    pool->settled = true;
}

static bool is_zero(const char *page, size_t n)
{
    return page[0] == 0 && memcmp(page, page + 1, n - 1) == 0;
}

void pool_trim(const struct pool *pool)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE), from = 0;

    if (!pool->start)
        return;
    for (size_t at = 0; at < FRAMING_MEMORY; at += page) {
        if (is_zero(pool->start + at, page))
            continue;
        if (at > from)
            madvise(pool->start + from, at - from, MADV_DONTNEED);
        from = at + page;
    }
    if (FRAMING_MEMORY > from)
        madvise(pool->start + from, FRAMING_MEMORY - from, MADV_DONTNEED);
}

/*
 * libmicrohttpd unmaps the pool of a connection before it reports that the connection is closed;
 * but it has ended its side of the socket by then, before anything else happens on this thread
 * (without MHD_USE_TURBO).
 */
static bool is_open(const struct pool *pool)
{
    const struct tcp_info info = connection_tcp(pool->fd);

    return connection_established(&info);
}

void pool_rest(struct pool *pool)
{
    pool->settled = true;
    if (!pool->start || pool->warm)
        return;
    if (warm[next_warm]) {
        if (is_open(warm[next_warm]))
            pool_trim(warm[next_warm]);
        warm[next_warm]->warm = false;
    }
    pool->warm = true;
    warm[next_warm] = pool;
    next_warm = (next_warm + 1) % WARM;
}

void pool_forget(struct pool *pool)
{
    for (size_t i = 0; i < COUNT(warm); i++)
        if (warm[i] == pool)
            warm[i] = NULL;
}
