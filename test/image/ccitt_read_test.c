/* ccitt_read: reads what MuPDF's fax coder writes, and nothing that is cut or damaged. */
#include "image/codec/ccitt_read.h"

#include <mupdf/fitz.h>
#include <string.h>

#include "image/bitmaps.h"
#include "tap.h"

static bool same(const struct bitmap *a, const struct bitmap *b)
{
    for (size_t y = 0; y < a->height; y++)
        for (size_t x = 0; x < a->width; x++)
            if (bitmap_at(a, x, y) != bitmap_at(b, x, y))
                return false;
    return true;
}

static bool reads(const unsigned char *data, size_t n, int k, struct bitmap *out)
{
    struct ccitt_read how = { .k = k };

    return ccitt_read(data, n, &how, out);
}

/* MuPDF takes set for white. */
static void invert(struct bitmap *bitmap)
{
    for (size_t i = 0; i < bitmap->stride * bitmap->height; i++)
        bitmap->data[i] = (uint8_t) ~bitmap->data[i];
}

static void judge(fz_context *ctx, const char *name, struct bitmap *bitmap)
{
    struct bitmap back = { bitmap->width, bitmap->height, 0, NULL };
    fz_buffer *g4;
    unsigned char *data;
    size_t n;

    invert(bitmap);
    g4 = fz_compress_ccitt_fax_g4(ctx, bitmap->data, (int) bitmap->width, (int) bitmap->height);
    invert(bitmap);
    n = fz_buffer_storage(ctx, g4, &data);

    ok(reads(data, n, -1, &back) && same(bitmap, &back), "group 4 of %s of %zu x %zu is read", name,
       bitmap->width, bitmap->height);
    raster_bitmap_free(&back);
    back = (struct bitmap){ bitmap->width, bitmap->height, 0, NULL };
    ok(!reads(data, n / 2, -1, &back), "half of the group 4 data is refused");
    raster_bitmap_free(&back);
    fz_drop_buffer(ctx, g4);
}

int main(void)
{
    static const char *const names[] = { "text", "noise", "white", "black" };
    /* One white row of 8, one of 3 black pixels between white ones: T.4, tables 2 and 3. */
    static const unsigned char g3[] = { 0x98, 0xb8, 0xc0 };
    struct bitmap line = { 8, 2, 0, NULL };
    fz_context *ctx = fz_new_context(NULL, NULL, FZ_STORE_DEFAULT);

    for (enum bitmap_motif motif = 0; motif < MOTIFS; motif++) {
        struct bitmap large = motif_new(motif, 2600, 100), small = motif_new(motif, 13, 90);

        judge(ctx, names[motif], &large);
        judge(ctx, names[motif], &small);
        raster_bitmap_free(&large);
        raster_bitmap_free(&small);
    }
    /* 10011 | 0111 10 1000: eight white; two white, three black, three white. */
    ok(reads((const unsigned char *) "\x9b\xd0", 2, 0, &line) && line.data[0] == 0 &&
           line.data[1] == 0x38,
       "one-dimensional group 3 is read");
    raster_bitmap_free(&line);
    line = (struct bitmap){ 8, 2, 0, NULL };
    ok(!reads(g3, sizeof g3, 0, &line), "runs beyond the row are refused");
    raster_bitmap_free(&line);
    fz_drop_context(ctx);
    return done_testing();
}
