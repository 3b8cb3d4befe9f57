#include "sandbox/zygote/inflate_limit.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define RATIO 100

typedef int inflate_function(z_stream *, int);

static void (*exceeded)(void *arg, size_t megabytes);
static void *exceeded_arg;
static pid_t owner;
static uint64_t most; /* what one stream may become; 0: there is no limit */
static _Atomic uint64_t sum;
static atomic_flag reported = ATOMIC_FLAG_INIT;

void inflate_limit_begin(uint64_t bytes, void (*then)(void *arg, size_t megabytes), void *arg)
{
    uint64_t limit;

    if (__builtin_mul_overflow(bytes, (uint64_t) INFLATE_LIMIT_TIMES, &limit))
        limit = UINT64_MAX / INFLATE_LIMIT_STREAMS;
    exceeded = then;
    exceeded_arg = arg;
    owner = getpid();
    atomic_store(&sum, 0);
    most = limit > INFLATE_LIMIT_LEAST ? limit : INFLATE_LIMIT_LEAST;
}

/* Whether the stream, of which the last call made `made` bytes, is beyond the limit. */
static bool exceeds(const z_stream *stream, uint64_t made)
{
    uint64_t out = stream->total_out;

    if (most == 0 || out <= INFLATE_LIMIT_FREE || out / RATIO <= stream->total_in)
        return false;
    return out > most || atomic_fetch_add(&sum, made) + made > most * INFLATE_LIMIT_STREAMS;
}

static void end_job(void)
{
    if (getpid() == owner && !atomic_flag_test_and_set(&reported))
        exceeded(exceeded_arg, (size_t) (most >> 20));
}

/* zlib's own. NULL if there is none. */
static inflate_function *own_inflate(void)
{
    static _Atomic(void *) found;
    inflate_function *function;
    void *address = atomic_load(&found);

    if (!address) {
        address = dlsym(RTLD_NEXT, "inflate");
        atomic_store(&found, address);
    }
    memcpy(&function, &address, sizeof function);
    return function;
}

int inflate(z_stream *stream, int flush)
{
    inflate_function *function = own_inflate();
    uint64_t before = stream ? stream->total_out : 0;
    int got = function ? function(stream, flush) : Z_STREAM_ERROR;

    if (stream && exceeds(stream, stream->total_out - before)) {
        end_job();
        return Z_DATA_ERROR;
    }
    return got;
}
