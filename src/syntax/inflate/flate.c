#include "syntax/inflate/flate.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "base/scope.h"

/* One for each level, made when it is first needed: they are large, and a document has thousands of
 * streams. Each is freed with the process. */
static struct libdeflate_compressor *compressor(int level)
{
    static _Thread_local struct libdeflate_compressor *made[FLATE_BEST + 1];

    if (!made[level])
        made[level] = libdeflate_alloc_compressor(level);
    return made[level];
}

bool flate_pack(const void *data, size_t n, int level, struct buf *out)
{
    struct libdeflate_compressor *c = compressor(level);
    AUTO_FREE void *packed = NULL; /* `out` would keep this much room */
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

static void free_decompressor(struct libdeflate_decompressor **d)
{
    libdeflate_free_decompressor(*d);
}

bool flate_unpack(const void *data, size_t n, void *out, size_t size)
{
    __attribute__((cleanup(free_decompressor))) struct libdeflate_decompressor *d =
        libdeflate_alloc_decompressor();

    return d && libdeflate_zlib_decompress(d, data, n, out, size, NULL) == LIBDEFLATE_SUCCESS;
}
