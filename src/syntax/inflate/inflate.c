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

/* How the data of a zlib stream ends, if its last block or its checksum is missing. */
enum rest { REST_OTHER, REST_BETWEEN_BLOCKS, REST_WITHIN_BLOCK };

/* The decoded bytes go to `out` if it is not NULL. */
static enum rest read_to_end(const void *data, size_t n, size_t max, struct buf *out)
{
    const int between_blocks = 128; /* in data_type (zlib.h) */
    unsigned char piece[PIECE];
    z_stream z = { .next_in = (Bytef *) (uintptr_t) data, .avail_in = (uInt) n }; /* only read */
    int state = Z_OK, place = 0; /* after the last call that read something */
    enum rest rest = REST_OTHER;

    if (n > UINT32_MAX || inflateInit2(&z, MAX_WBITS) != Z_OK)
        return REST_OTHER;
    while (state == Z_OK && z.total_out <= max) {
        place = z.data_type;
        z.next_out = piece;
        z.avail_out = PIECE;
        state = inflate(&z, Z_NO_FLUSH);
        if (out)
            buf_put(out, piece, PIECE - z.avail_out);
    }
    if (state == Z_BUF_ERROR)
        rest = (place & between_blocks) || waits_for_checksum(&z, piece) ? REST_BETWEEN_BLOCKS
                                                                         : REST_WITHIN_BLOCK;
    inflateEnd(&z);
    return rest;
}

bool inflate_is_cut(const void *data, size_t n, size_t max)
{
    return read_to_end(data, n, max, NULL) == REST_WITHIN_BLOCK;
}

bool inflate_unmarked(const void *data, size_t n, size_t max, struct buf *out)
{
    return read_to_end(data, n, max, out) == REST_BETWEEN_BLOCKS && out->len > 0 && !out->failed;
}
