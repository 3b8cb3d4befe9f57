#include "pdf/inflation.h"

#include <stdbool.h>
#include <zlib.h>

#define SAMPLE  65536 /* bytes at the beginning that are looked at */
#define RATIO   100
#define SCRATCH 65536

/* Inflates what next_in has, at most to `most` bytes in all. False: it has come to its end. */
static bool inflate_some(z_stream *z, uint64_t most)
{
    unsigned char scratch[SCRATCH];
    int end = Z_OK;

    while (end == Z_OK && z->total_out <= most && (z->avail_in > 0 || z->avail_out == 0)) {
        z->next_out = scratch;
        z->avail_out = sizeof scratch;
        end = inflate(z, Z_NO_FLUSH);
    }
    return end == Z_OK;
}

uint64_t inflation_size(const unsigned char *data, size_t n)
{
    z_stream z = { 0 };
    size_t first = n < SAMPLE ? n : SAMPLE;
    uint64_t size;
    bool more;

    if (n < INFLATION_LEAST || n > UINT32_MAX || inflateInit(&z) != Z_OK)
        return 0;
    z.next_in = (unsigned char *) (uintptr_t) data; /* only read */
    z.avail_in = (uInt) first;
    more = inflate_some(&z, INFLATION_MOST);
    size = z.total_out;
    if (size < RATIO * (uint64_t) first)
        size = 0;
    if (more && size > 0 && size <= INFLATION_MOST) {
        z.avail_in += (uInt) (n - first);
        inflate_some(&z, INFLATION_MOST);
        size = z.total_out;
    }
    inflateEnd(&z);
    return size > INFLATION_MOST ? INFLATION_MOST + 1 : size;
}
