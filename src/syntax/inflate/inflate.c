#include "syntax/inflate/inflate.h"

#include <stdint.h>
#include <string.h>
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

/* Whether all that a stream without data left waits for is its checksum: a wrong one is reported
 * before any byte is decoded. */
static bool waits_for_checksum(z_stream *z, unsigned char *piece)
{
    static const unsigned char wrong[4];
    int state;

    z->next_in = (Bytef *) (uintptr_t) wrong; /* only read */
    z->avail_in = sizeof wrong;
    z->next_out = piece;
    z->avail_out = PIECE;
    state = inflate(z, Z_NO_FLUSH);
    return z->avail_out == PIECE &&
           (state == Z_STREAM_END ||
            (state == Z_DATA_ERROR && z->msg && strcmp(z->msg, "incorrect data check") == 0));
}

bool inflate_is_cut(const void *data, size_t n, size_t max)
{
    const int between_blocks = 128; /* in data_type (zlib.h) */
    unsigned char piece[PIECE];
    z_stream z = { .next_in = (Bytef *) (uintptr_t) data, .avail_in = (uInt) n }; /* only read */
    int state = Z_OK, place = 0; /* after the last call that read something */
    bool cut;

    if (n > UINT32_MAX || inflateInit2(&z, MAX_WBITS) != Z_OK)
        return false;
    while (state == Z_OK && z.total_out <= max) {
        place = z.data_type;
        z.next_out = piece;
        z.avail_out = PIECE;
        state = inflate(&z, Z_NO_FLUSH);
    }
    cut = state == Z_BUF_ERROR && !(place & between_blocks) && !waits_for_checksum(&z, piece);
    inflateEnd(&z);
    return cut;
}
