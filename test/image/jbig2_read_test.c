/* jbig2_read: what jbig2_write codes comes back, and a region that refines it; damage is found. */
#include "image/jbig2/read.h"

#include <stdlib.h>
#include <string.h>

#include "image/bitmaps.h"
#include "image/codec/arith.h"
#include "image/codec/jbig2_write.h"
#include "tap.h"

#define REFINEMENT 42 /* the type of the segment */

static bool is_same(const struct bitmap *a, const struct bitmap *b)
{
    bool same = a->width == b->width && a->height == b->height;

    for (size_t y = 0; same && y < a->height; y++)
        for (size_t x = 0; same && x < a->width; x++)
            same = bitmap_at(a, x, y) == bitmap_at(b, x, y);
    return same;
}

static unsigned at(const struct bitmap *bitmap, size_t x, size_t y, int dx, int dy)
{
    size_t to_x = x + (size_t) dx, to_y = y + (size_t) dy;

    return to_x < bitmap->width && to_y < bitmap->height && bitmap_at(bitmap, to_x, to_y);
}

/* Figure 13 of T.88, in any order of the bits. */
static unsigned context(const struct bitmap *from, const struct bitmap *to, size_t x, size_t y)
{
    return at(to, x, y, -1, 0) | at(to, x, y, 1, -1) << 1 | at(to, x, y, 0, -1) << 2 |
           at(to, x, y, -1, -1) << 3 | at(from, x, y, 1, 1) << 4 | at(from, x, y, 0, 1) << 5 |
           at(from, x, y, 1, 0) << 6 | at(from, x, y, 0, 0) << 7 | at(from, x, y, -1, 0) << 8 |
           at(from, x, y, 0, -1) << 9;
}

/* Appends a segment that makes `to` of the page `from`. */
static void put_refinement(struct buf *out, const struct bitmap *from, const struct bitmap *to)
{
    struct buf coded = BUF_EMPTY;
    arith_cx contexts[1024] = { 0 };
    struct arith coder;

    arith_begin(&coder, &coded);
    for (size_t y = 0; y < to->height; y++)
        for (size_t x = 0; x < to->width; x++)
            arith_put(&coder, &contexts[context(from, to, x, y)], bitmap_at(to, x, y));
    arith_end(&coder);
    buf_put_be32(out, 9);
    buf_putc(out, REFINEMENT);
    buf_putc(out, 0);
    buf_putc(out, 1);
    buf_put_be32(out, 18 + coded.len);
    buf_put_be32(out, to->width);
    buf_put_be32(out, to->height);
    buf_put_be32(out, 0);
    buf_put_be32(out, 0);
    buf_putc(out, 4); /* replaces what is there */
    buf_putc(out, 1); /* template 1 */
    buf_put(out, coded.data, coded.len);
    buf_free(&coded);
}

static bool reads(const struct buf *stream, size_t n, const struct bitmap *want)
{
    struct bitmap got = { 0 };
    bool good = jbig2_read(NULL, 0, (const uint8_t *) stream->data, n, &got) && is_same(&got, want);

    raster_bitmap_free(&got);
    return good;
}

/* Every stream that is cut or has another byte is read or refused. */
static void spoil(struct buf *stream)
{
    uint8_t *bytes = (uint8_t *) stream->data;

    for (size_t i = 0; i < stream->len; i++) {
        struct bitmap got = { 0 };
        uint8_t was = bytes[i];

        (void) jbig2_read(NULL, 0, bytes, i, &got);
        raster_bitmap_free(&got);
        bytes[i] = (uint8_t) (was ^ 0x41);
        got = (struct bitmap){ 0 };
        (void) jbig2_read(NULL, 0, bytes, stream->len, &got);
        raster_bitmap_free(&got);
        bytes[i] = was;
    }
}

int main(void)
{
    static const char *const names[] = { "text", "noise", "white", "black" };

    for (enum bitmap_motif motif = 0; motif < MOTIFS; motif++) {
        struct bitmap from = motif_new(motif, 75, 41), to = motif_new(1, 75, 41);
        struct buf stream = BUF_EMPTY;
        size_t n;

        jbig2_write(&from, &stream);
        n = stream.len;
        ok(reads(&stream, n, &from), "%s comes back", names[motif]);
        ok(!jbig2_is_rare(NULL, 0, (uint8_t *) stream.data, n), "and is not rare");
        put_refinement(&stream, &from, &to);
        ok(reads(&stream, stream.len, &to), "refined to noise it is noise");
        ok(jbig2_is_rare(NULL, 0, (uint8_t *) stream.data, stream.len), "which is rare");
        ok(!reads(&stream, n + 20, &to), "what is cut is not read");
        spoil(&stream);
        buf_free(&stream);
        raster_bitmap_free(&from);
        raster_bitmap_free(&to);
    }
    return done_testing();
}
