#include "inflate_repair/zstream.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "inflate_repair/huffman.h"

#define CHUNK    65536
#define TRY_COST 4096 /* of one try, however small */

static bool inflate_all(const unsigned char *data, size_t n, size_t max, struct buf *out,
                        size_t *size)
{
    unsigned char chunk[CHUNK];
    z_stream z = { .next_in = (Bytef *) (uintptr_t) data, .avail_in = (uInt) n };
    int got = Z_OK;

    *size = 0;
    if (n > UINT32_MAX || inflateInit(&z) != Z_OK)
        return false;
    while (got == Z_OK && *size <= max) {
        size_t made;

        z.next_out = chunk;
        z.avail_out = CHUNK;
        got = inflate(&z, Z_NO_FLUSH);
        made = CHUNK - z.avail_out;
        *size += made;
        if (out)
            buf_put(out, chunk, made);
    }
    inflateEnd(&z);
    return got == Z_STREAM_END && *size <= max && (!out || !out->failed);
}

bool zstream_sound(const unsigned char *data, size_t n, size_t max, size_t *size)
{
    return inflate_all(data, n, max, NULL, size);
}

void zstream_spend(size_t *effort, size_t bytes)
{
    *effort -= bytes < *effort ? bytes : *effort;
}

bool zstream_try(const unsigned char *data, size_t n, size_t max, size_t *effort)
{
    size_t size;
    bool sound;

    if (*effort == 0)
        return false;
    sound = inflate_all(data, n, max, NULL, &size);
    zstream_spend(effort, size + n + TRY_COST);
    return sound;
}

bool zstream_unpack(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    size_t size;

    return inflate_all(data, n, max, out, &size);
}

bool zstream_pack(const void *data, size_t n, struct buf *out)
{
    uLongf room = compressBound((uLong) n);
    unsigned char *packed = malloc(room);
    bool done = packed && compress2(packed, &room, data, (uLong) n, 6) == Z_OK;

    if (done)
        buf_put(out, packed, room);
    free(packed);
    return done && !out->failed;
}
