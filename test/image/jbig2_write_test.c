/* jbig2_write, judged by jbig2dec: every bit comes back. */
#include "image/codec/jbig2_write.h"

#include <jbig2.h>
#include <string.h>

#include "image/bitmaps.h"
#include "tap.h"

static bool comes_back(const struct bitmap *bitmap)
{
    struct buf out = BUF_EMPTY;
    Jbig2Ctx *ctx = jbig2_ctx_new(NULL, JBIG2_OPTIONS_EMBEDDED, NULL, NULL, NULL);
    Jbig2Image *image = NULL;
    bool same = jbig2_write(bitmap, &out) &&
                jbig2_data_in(ctx, (const unsigned char *) out.data, out.len) >= 0 &&
                jbig2_complete_page(ctx) >= 0 && (image = jbig2_page_out(ctx)) != NULL &&
                image->width == bitmap->width && image->height == bitmap->height;

    for (size_t y = 0; same && y < bitmap->height; y++)
        for (size_t x = 0; same && x < bitmap->width; x++)
            same = bitmap_at(bitmap, x, y) ==
                   (image->data[y * image->stride + x / 8] >> (7 - x % 8) & 1);
    if (image)
        jbig2_release_page(ctx, image);
    jbig2_ctx_free(ctx);
    buf_free(&out);
    return same;
}

int main(void)
{
    static const char *const names[] = { "text", "noise", "white", "black" };
    static const size_t sizes[][2] = { { 1, 1 },   { 7, 3 },   { 8, 8 },    { 9, 200 },
                                       { 640, 1 }, { 33, 65 }, { 999, 700 } };

    for (enum bitmap_motif motif = 0; motif < MOTIFS; motif++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct bitmap bitmap = motif_new(motif, sizes[i][0], sizes[i][1]);

            ok(comes_back(&bitmap), "%s of %zu x %zu comes back", names[motif], sizes[i][0],
               sizes[i][1]);
            raster_bitmap_free(&bitmap);
        }
    return done_testing();
}
