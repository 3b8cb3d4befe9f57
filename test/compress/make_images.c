/*
 * make_images: writes a PDF with one image of each kind on a page of its own, all of the same
 * picture at 600 dpi, so that a compressor has something to do with each: `make_images OUT.pdf`.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "image/codec/dct.h"
#include "image/codec/jbig2_write.h"
#include "jpx.h"
#include "pdf_builder.h"
#include "syntax/inflate/flate.h"

#define SIDE 600 /* pixels, on 72 points */

static struct pdf_builder pdf;

/* A smooth picture with a sharp disc in it. */
static uint8_t sample(size_t x, size_t y, size_t c)
{
    double dx = (double) x - SIDE * 0.3, dy = (double) y - SIDE * 0.6;

    if (dx * dx + dy * dy < SIDE * SIDE * 0.04)
        return c == 0 ? 220 : 40;
    if (c == 0)
        return (uint8_t) (x * 255 / SIDE);
    if (c == 1)
        return (uint8_t) (y * 255 / SIDE);
    if (c == 2)
        return (uint8_t) (128 + 100 * sin((double) (x + y) / 45));
    return (uint8_t) ((x + y) * 60 / SIDE);
}

static uint8_t *samples(size_t channels)
{
    uint8_t *data = malloc(SIDE * SIDE * channels), *p = data;

    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++)
            for (size_t c = 0; c < channels; c++)
                *p++ = sample(x, y, c);
    return data;
}

/* One bit where the second channel is bright. */
static struct bitmap bits(void)
{
    struct bitmap bitmap;

    raster_bitmap_new(&bitmap, SIDE, SIDE);
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++)
            if (sample(x, y, 1) > 100 && (x / 20 + y / 20) % 3)
                bitmap.data[y * bitmap.stride + x / 8] |= (uint8_t) (0x80 >> x % 8);
    return bitmap;
}

static int next = 10;

#define IMAGE "/Type/XObject/Subtype/Image/Width 600/Height 600"

static void put_flate(const void *data, size_t n, const char *more)
{
    struct buf packed = BUF_EMPTY;

    flate_pack(data, n, 6, &packed);
    pdf_put_stream(&pdf, next++, packed.data, packed.len, IMAGE "/Filter/FlateDecode%s", more);
    buf_free(&packed);
}

static void put_jpeg(size_t channels, bool adobe, bool turned, const char *more)
{
    struct raster raster = { SIDE, SIDE, channels, samples(channels) };
    struct dct_write how = { .quality = 92, .adobe = adobe, .turned = turned };
    struct buf jpeg = BUF_EMPTY;

    dct_write(&raster, &how, &jpeg);
    pdf_put_stream(&pdf, next++, jpeg.data, jpeg.len,
                   IMAGE "/BitsPerComponent 8/Filter/DCTDecode%s", more);
    buf_free(&jpeg);
    raster_free(&raster);
}

/* Behind another filter, its channels shown as they are stored. */
static void put_packed_jpeg(void)
{
    struct raster raster = { SIDE, SIDE, 3, samples(3) };
    struct dct_write how = { .quality = 92 };
    struct buf jpeg = BUF_EMPTY, packed = BUF_EMPTY;

    dct_write(&raster, &how, &jpeg);
    flate_pack(jpeg.data, jpeg.len, 6, &packed);
    pdf_put_stream(&pdf, next++, packed.data, packed.len,
                   IMAGE "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter[/FlateDecode/DCTDecode]"
                         "/DecodeParms[null<</ColorTransform 0>>]");
    buf_free(&jpeg);
    buf_free(&packed);
    raster_free(&raster);
}

static void put_jpegs(void)
{
    put_jpeg(1, false, false, "/ColorSpace/DeviceGray");
    put_jpeg(3, false, false, "/ColorSpace/DeviceRGB");
    put_jpeg(4, false, false, "/ColorSpace/DeviceCMYK");
    put_jpeg(4, true, true, "/ColorSpace/DeviceCMYK");
    put_jpeg(4, true, false, "/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]");
    put_jpeg(3, false, false, "/ColorSpace/DeviceRGB/Decode[1 0 0 1 0 1]");
    put_jpeg(1, false, false,
             "/ColorSpace[/Separation/Spot/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]"
             "/C1[0 1 .5 0]/N 1>>]");
    put_jpeg(3, false, false, "/ColorSpace/DeviceRGB/DecodeParms<</ColorTransform 0>>");
    put_jpeg(4, false, true, "/ColorSpace/DeviceCMYK/DecodeParms<</ColorTransform 1>>");
    put_jpeg(4, true, false, "/ColorSpace/DeviceCMYK/DecodeParms<</ColorTransform 1>>");
    put_packed_jpeg();
}

/* Sixteen bits, of which nobody sees the lower ones. */
static void put_deep(const uint8_t *rgb, size_t n)
{
    uint8_t *deep = malloc(2 * n);

    for (size_t i = 0; i < n; i++) {
        deep[2 * i] = rgb[i];
        deep[2 * i + 1] = (uint8_t) (i * 2654435761U >> 24);
    }
    put_flate(deep, 2 * n, "/ColorSpace/DeviceRGB/BitsPerComponent 16");
    free(deep);
}

static void put_plain(void)
{
    uint8_t *gray = samples(1), *rgb = samples(3), *cmyk = samples(4);
    uint8_t *indexed = samples(1);
    size_t n = SIDE * SIDE;

    for (size_t i = 0; i < n; i++)
        indexed[i] /= 64;
    put_flate(gray, n, "/ColorSpace/DeviceGray/BitsPerComponent 8");
    put_flate(gray, n, "/ColorSpace/DeviceGray/BitsPerComponent 8/Decode[1 0]");
    put_flate(rgb, 3 * n, "/ColorSpace/DeviceRGB/BitsPerComponent 8");
    put_flate(cmyk, 4 * n, "/ColorSpace/DeviceCMYK/BitsPerComponent 8");
    put_flate(indexed, n,
              "/ColorSpace[/Indexed/DeviceRGB 3<ff0000 00ff00 0000ff ffffff>]/BitsPerComponent 8");
    put_flate(indexed, n,
              "/ColorSpace[/Indexed/DeviceRGB 3<ff0000 00ff00 0000ff ffffff>]/BitsPerComponent 8"
              "/Mask[3 3]");
    put_flate(rgb, 3 * n, "/ColorSpace/DeviceRGB/BitsPerComponent 8/Mask[0 20 0 20 0 255]");
    put_flate(rgb, 3 * n, "/ColorSpace/DeviceRGB/BitsPerComponent 8/SMask 10 0 R");
    put_deep(rgb, 3 * n);
    free(gray);
    free(rgb);
    free(cmyk);
    free(indexed);
}

static void put_mono(void)
{
    struct bitmap bitmap = bits();
    struct buf jbig2 = BUF_EMPTY;
    size_t n = bitmap.stride * bitmap.height;

    put_flate(bitmap.data, n, "/ColorSpace/DeviceGray/BitsPerComponent 1");
    put_flate(bitmap.data, n, "/ColorSpace/DeviceGray/BitsPerComponent 1/Decode[1 0]");
    put_flate(bitmap.data, n, "/ImageMask true/BitsPerComponent 1");
    put_flate(bitmap.data, n, "/ImageMask true/BitsPerComponent 1/Decode[1 0]");
    put_flate(bitmap.data, n,
              "/ColorSpace[/Indexed/DeviceRGB 1<ff8000 0000ff>]/BitsPerComponent 1");
    jbig2_write(&bitmap, &jbig2);
    pdf_put_stream(&pdf, next++, jbig2.data, jbig2.len,
                   IMAGE "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode");
    buf_free(&jbig2);
    raster_bitmap_free(&bitmap);
}

static void put_jpx(void)
{
    struct raster rgb = { SIDE, SIDE, 3, samples(3) }, gray = { SIDE, SIDE, 1, samples(1) };
    struct buf data = BUF_EMPTY;

    jpx_write(&rgb, &data);
    pdf_put_stream(&pdf, next++, data.data, data.len,
                   IMAGE "/Filter/JPXDecode/ColorSpace/DeviceRGB");
    pdf_put_stream(&pdf, next++, data.data, data.len, IMAGE "/Filter/JPXDecode/Interpolate true");
    buf_free(&data);
    jpx_write(&gray, &data);
    pdf_put_stream(&pdf, next++, data.data, data.len, IMAGE "/Filter/JPXDecode");
    buf_free(&data);
    raster_free(&rgb);
    raster_free(&gray);
}

/* A page for each image, drawn on yellow in blue, in a form within the page. */
static void put_pages(int first, int last)
{
    int page = last;

    for (int image = first; image < last; image++, page += 2) {
        static const char content[] = "1 1 0 rg 0 0 100 100 re f 0 0 1 rg q 72 0 0 72 14 14 cm "
                                      "/Im Do Q";

        pdf_begin(&pdf, page);
        buf_printf(&pdf.out,
                   "<</Type/Page/Parent 2 0 R/Contents %d 0 R/Resources<</XObject<</Im %d 0 R>>"
                   ">>>>\nendobj\n",
                   page + 1, image);
        pdf_put_stream(&pdf, page + 1, content, sizeof content - 1, "/Image %d", image);
    }
    pdf_begin(&pdf, 2);
    buf_printf(&pdf.out, "<</Type/Pages/MediaBox[0 0 100 100]/Count %d/Kids[", last - first);
    for (int i = last; i < page; i += 2)
        buf_printf(&pdf.out, "%d 0 R ", i);
    buf_puts(&pdf.out, "]>>\nendobj\n");
}

int main(int argc, char **argv)
{
    AUTO_FCLOSE FILE *file = argc == 2 ? fopen(argv[1], "wbe") : NULL;
    bool written;

    if (!file)
        return 2;
    pdf_header(&pdf, "1.5");
    pdf_put(&pdf, 1, "<</Type/Catalog/Pages 2 0 R>>");
    put_plain(); /* the first of them is a soft mask too */
    put_jpegs();
    put_mono();
    put_jpx();
    put_pages(10, next);
    pdf_end(&pdf, 1);
    written = fwrite(pdf.out.data, 1, pdf.out.len, file) == pdf.out.len;
    buf_free(&pdf.out);
    return written ? 0 : 1;
}
