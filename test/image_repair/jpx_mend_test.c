/* tests of src/recovery/image_repair/jpx_mend.c: code streams with tiles of which the data means
 * nothing. */
#include "recovery/image_repair/jpx_mend.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "tap.h"

#define TILES 4U
#define BYTES 50U /* of data of each tile */

static void put32(struct buf *out, unsigned value)
{
    const char bytes[] = { (char) (value >> 24), (char) (value >> 16), (char) (value >> 8),
                           (char) value };

    buf_put(out, bytes, sizeof bytes);
}

/* Four tiles of 64 x 64 samples, `tail` as the last marker. */
static void make(struct buf *out)
{
    static const char siz[] = "\xff\x4f\xff\x51\0\x29\0\0";

    buf_put(out, siz, sizeof siz - 1);
    put32(out, 128);
    put32(out, 128);
    put32(out, 0);
    put32(out, 0);
    put32(out, 64);
    put32(out, 64);
    put32(out, 0);
    put32(out, 0);
    buf_put(out, "\0\1\7\1\1", 5);
    for (unsigned i = 0; i < TILES; i++) {
        const char head[] = { (char) 0xff, (char) 0x90, 0, 10, 0, (char) i };

        buf_put(out, head, sizeof head);
        put32(out, 14 + BYTES);
        buf_put(out, "\0\1\xff\x93", 4);
        for (unsigned k = 0; k < BYTES; k++)
            buf_putc(out, (char) (i * 50 + k));
    }
    buf_puts(out, "\xff\xd9");
}

static bool mend(const struct buf *data, struct buf *out)
{
    AUTO_FREE unsigned char *exact = malloc(data->len); /* for the sanitizer */

    memcpy(exact, data->data, data->len);
    return jpx_mend(exact, data->len, out);
}

/* The number of tiles that the lengths lead to. */
static unsigned tiles_of(const struct buf *image)
{
    const unsigned char *d = (const unsigned char *) image->data;
    size_t at = 45;
    unsigned n = 0;

    while (at + 14 < image->len && octets_be16(d + at) == 0xff90) {
        n++;
        at += octets_be16(d + at + 8);
    }
    return at + 2 == image->len && octets_be16(d + at) == 0xffd9 ? n : 0;
}

/* `lost` bytes from `at` on are left out; below 0: some are put there. */
static void loses(size_t at, int lost, unsigned tiles, const char *what)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY, out = BUF_EMPTY;

    make(&whole);
    buf_put(&data, whole.data, at);
    for (int i = 0; i < -lost; i++)
        buf_putc(&data, 'x');
    at += lost > 0 ? (size_t) lost : 0;
    buf_put(&data, whole.data + at, whole.len - at);
    ok(mend(&data, &out), "%s: it is repaired", what);
    ok(tiles_of(&out) == tiles, "%s: %u tiles are found", what, tiles_of(&out));
    data.len = 0;
    ok(!mend(&out, &data), "%s: the result is sound", what);
}

int main(void)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, out = BUF_EMPTY;

    make(&whole);
    ok(!mend(&whole, &out), "a sound image is not changed");
    loses(45 + 64 + 30, 1, 4, "a byte of the second tile");
    loses(45 + 64 + 30, -1, 4, "a byte added to the second tile");
    loses(45 + 64 + 30, 60, 3, "the head of the third tile");
    loses(45 + 3 * 64 + 30, 36, 4, "the end");
    whole.len = 30;
    out.len = 0;
    ok(!mend(&whole, &out), "half a head is not an image");
    return done_testing();
}
