/*
 * Input: how wide a bitmap is (two bytes, the low one first), then its rows, the last one filled up
 * with white; what a row has beyond its width is noise. Coded as JBIG2, every pixel of it comes
 * back out of jbig2dec.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "fuzz.h"
#include "image/codec/jbig2_write.h"

#include <jbig2.h> /* needs <stdint.h> before it */

#define WIDEST 4096

static void judge_pixels(const struct bitmap *bitmap, const Jbig2Image *image)
{
    if (!image || image->width != bitmap->width || image->height != bitmap->height)
        abort();
    for (size_t y = 0; y < bitmap->height; y++)
        for (size_t x = 0; x < bitmap->width; x++)
            if (bitmap_at(bitmap, x, y) !=
                (image->data[y * image->stride + x / 8] >> (7 - x % 8) & 1))
                abort();
}

static void judge(const struct bitmap *bitmap, const struct buf *coded)
{
    Jbig2Ctx *ctx = jbig2_ctx_new(NULL, JBIG2_OPTIONS_EMBEDDED, NULL, NULL, NULL);
    Jbig2Image *image = NULL;

    if (!ctx)
        return;
    if (jbig2_data_in(ctx, (const unsigned char *) coded->data, coded->len) >= 0 &&
        jbig2_complete_page(ctx) >= 0)
        image = jbig2_page_out(ctx);
    judge_pixels(bitmap, image);
    jbig2_release_page(ctx, image);
    jbig2_ctx_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BITMAP struct bitmap bitmap = { 0 };
    AUTO_BUF struct buf coded = BUF_EMPTY;
    size_t width, stride;

    if (n < 3)
        return 0;
    width = 1 + (data[0] | (size_t) data[1] << 8) % WIDEST;
    stride = (width + 7) / 8;
    if (!raster_bitmap_new(&bitmap, width, (n - 2 + stride - 1) / stride))
        return 0;
    if (bitmap.stride != stride)
        abort();
    memcpy(bitmap.data, data + 2, n - 2);
    if (jbig2_write(&bitmap, &coded))
        judge(&bitmap, &coded);
    return 0;
}
