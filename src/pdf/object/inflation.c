#include "pdf/object/inflation.h"

#include <stdbool.h>

#include "syntax/inflate/inflate.h"

#define SAMPLE 65536 /* bytes at the beginning that are looked at */
#define RATIO  100

static bool count_bytes(void *arg, const unsigned char *piece, size_t n)
{
    uint64_t *size = arg;

    (void) piece;
    *size += n;
    return *size <= INFLATION_MOST;
}

uint64_t inflation_size(const unsigned char *data, size_t n)
{
    size_t first = n < SAMPLE ? n : SAMPLE;
    uint64_t size = 0;

    if (n < INFLATION_LEAST || n > UINT32_MAX)
        return 0;
    inflate_each(data, first, INFLATE_ZLIB, count_bytes, &size);
    if (size < RATIO * (uint64_t) first)
        return 0;
    if (size <= INFLATION_MOST && n > first) {
        size = 0;
        inflate_each(data, n, INFLATE_ZLIB, count_bytes, &size);
    }
    return size > INFLATION_MOST ? INFLATION_MOST + 1 : size;
}
