#include "syntax/inflate/inflate.h"

#include <stdint.h>
#include <zlib.h>

#define PIECE 65536

enum inflate_end inflate_each(const void *data, size_t n, enum inflate_wrap wrap, inflate_put *put,
                              void *arg)
{
    static const int windows[] = { [INFLATE_ZLIB] = MAX_WBITS,
                                   [INFLATE_ZLIB_OR_GZIP] = MAX_WBITS + 32,
                                   [INFLATE_BARE] = -MAX_WBITS };
    unsigned char piece[PIECE];
    z_stream z = { .next_in = (Bytef *) (uintptr_t) data, .avail_in = (uInt) n }; /* only read */
    bool wanted = true;
    int state = Z_OK;

    if (n > UINT32_MAX || inflateInit2(&z, windows[wrap]) != Z_OK)
        return INFLATE_FAILED;
    while (state == Z_OK && wanted) {
        z.next_out = piece;
        z.avail_out = PIECE;
        state = inflate(&z, Z_NO_FLUSH);
        if (z.avail_out < PIECE)
            wanted = put(arg, piece, PIECE - z.avail_out);
    }
    inflateEnd(&z);
    if (!wanted)
        return INFLATE_STOPPED;
    return state == Z_STREAM_END  ? INFLATE_WHOLE
           : state == Z_MEM_ERROR ? INFLATE_FAILED
                                  : INFLATE_DAMAGED;
}

struct bytes {
    struct buf *out;
    size_t left;
};

static bool put_bytes(void *arg, const unsigned char *piece, size_t n)
{
    struct bytes *b = arg;

    if (n > b->left)
        return false;
    b->left -= n;
    buf_put(b->out, piece, n);
    return !b->out->failed;
}

bool inflate_bytes(const void *data, size_t n, size_t max, struct buf *out)
{
    struct bytes b = { out, max };

    return inflate_each(data, n, INFLATE_ZLIB, put_bytes, &b) == INFLATE_WHOLE;
}
