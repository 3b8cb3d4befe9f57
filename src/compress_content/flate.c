#include "compress_content/flate.h"

#include <libdeflate.h>
#include <limits.h>
#include <zlib.h>

#include "base/scope.h"

#define PIECE 65536

static void end_inflate(z_stream *z)
{
    inflateEnd(z);
}

bool compress_content_flate_unpack(const void *data, size_t n, size_t max, struct buf *out)
{
    unsigned char piece[PIECE];
    size_t room = max;
    int state = Z_OK;
    __attribute__((cleanup(end_inflate))) z_stream z = { .next_in = (Bytef *) (uintptr_t) data };

    if (n > UINT_MAX || inflateInit(&z) != Z_OK)
        return false;
    z.avail_in = (uInt) n;
    while (state == Z_OK) {
        z.next_out = piece;
        z.avail_out = sizeof piece;
        state = inflate(&z, Z_NO_FLUSH);
        size_t got = sizeof piece - z.avail_out;
        if (got > room)
            return false;
        room -= got;
        buf_put(out, piece, got);
    }
    return state == Z_STREAM_END && !out->failed;
}

/* One for each level, made when it is first needed: they are large, and a document has thousands of
 * streams. Each is freed with the process. */
static struct libdeflate_compressor *compressor(int level)
{
    static _Thread_local struct libdeflate_compressor *made[FLATE_BEST + 1];

    if (!made[level])
        made[level] = libdeflate_alloc_compressor(level);
    return made[level];
}

bool compress_content_flate_pack(const void *data, size_t n, int level, struct buf *out)
{
    struct libdeflate_compressor *c = compressor(level);
    AUTO_FREE void *packed = NULL;
    size_t room, got;

    if (!c)
        return false;
    room = libdeflate_zlib_compress_bound(c, n);
    packed = malloc(room);
    if (!packed)
        return false;
    got = libdeflate_zlib_compress(c, data, n, packed, room);
    if (got == 0)
        return false;
    buf_put(out, packed, got);
    return !out->failed;
}
