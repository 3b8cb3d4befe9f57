/*
 * encode: how long the writers of src/image/encode take for rendered pages, and how many bytes they
 * make. Next to them: the rows unfiltered through zlib at its default level, which is what `mutool
 * draw` writes as PNG; and the filtered rows of the png column, which are not counted as work,
 * through libdeflate at its level 1, the quickest of other encoders. The best of ROUNDS; pages as
 * `mutool draw -o %d.ppm` or %d.pgm makes them.
 *
 *     encode FILE.ppm...
 */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "image/encode/jpeg_writer.h"
#include "image/encode/png_writer.h"
#include "times.h"

#define ROUNDS  5
#define WRITERS 6

struct page {
    struct pixmap pixmap;
    struct png_writer *png;
    struct jpeg_writer *jpeg;
    struct libdeflate_compressor *deflate;
    struct buf rows;
};

static void fail(const char *what)
{
    fprintf(stderr, "encode: %s\n", what);
    exit(1);
}

static void check(int result, const struct err *err)
{
    if (result < 0)
        fail(err->msg);
}

static uint32_t number(FILE *file)
{
    unsigned n = 0;
    int c = getc(file);

    while (c == '#' || c == ' ' || c == '\n') {
        for (; c == '#';) {
            while (c != '\n' && c != EOF)
                c = getc(file);
        }
        c = getc(file);
    }
    for (; c >= '0' && c <= '9' && n < PNG_MAX_SIDE; c = getc(file))
        n = 10 * n + (unsigned) (c - '0');
    return n;
}

/* PGM or PPM, raw, 8 bits (ppm(5)). */
static void read_page(const char *path, struct pixmap *out)
{
    FILE *file = fopen(path, "rb");
    uint8_t *samples;
    int magic = 0;

    if (!file || getc(file) != 'P' || ((magic = getc(file)) != '5' && magic != '6'))
        fail("not a raw PGM or PPM file");
    getc(file);
    out->kind = magic == '5' ? PIXMAP_GRAY : PIXMAP_RGB;
    out->width = number(file);
    out->height = number(file);
    out->stride = (size_t) out->width * out->kind;
    samples = number(file) == 255 ? malloc(out->stride * out->height + 1) : NULL;
    if (!samples || fread(samples, out->stride, out->height, file) != out->height)
        fail("a PGM or PPM file that is short, or not of 8 bits");
    out->samples = samples;
    fclose(file);
}

static void as_png(struct page *page, struct buf *out)
{
    struct err err;

    check(png_writer_write(page->png, &page->pixmap, 150, false, sink_buf(out), &err), &err);
}

static void as_mono(struct page *page, struct buf *out)
{
    struct err err;

    check(png_writer_write(page->png, &page->pixmap, 150, true, sink_buf(out), &err), &err);
}

static void as_jpeg(struct page *page, struct buf *out)
{
    struct err err;

    check(jpeg_writer_write(page->jpeg, &page->pixmap, 150, 85, sink_buf(out), &err), &err);
}

static void as_fine_jpeg(struct page *page, struct buf *out)
{
    struct err err;

    check(jpeg_writer_write(page->jpeg, &page->pixmap, 150, 95, sink_buf(out), &err), &err);
}

static void as_zlib(struct page *page, struct buf *out)
{
    const struct pixmap *p = &page->pixmap;
    uLongf n = compressBound((uLong) (p->stride * p->height));
    Bytef *to = malloc(n);

    if (!to || compress(to, &n, p->samples, (uLong) (p->stride * p->height)) != Z_OK)
        fail("zlib failed");
    buf_put(out, to, n);
    free(to);
}

static void as_libdeflate(struct page *page, struct buf *out)
{
    size_t n = libdeflate_zlib_compress_bound(page->deflate, page->rows.len);
    void *to = malloc(n);

    if (!to ||
        !(n = libdeflate_zlib_compress(page->deflate, page->rows.data, page->rows.len, to, n)))
        fail("libdeflate failed");
    buf_put(out, to, n);
    free(to);
}

/* The filtered rows of the page's PNG: what its IDAT chunks hold. */
static void read_rows(struct page *page)
{
    const size_t room = (page->pixmap.stride + 1) * page->pixmap.height;
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    struct buf png = BUF_EMPTY, packed = BUF_EMPTY;
    void *rows = malloc(room);
    size_t n = 0;

    as_png(page, &png);
    for (size_t at = 8, size; at + 12 <= png.len; at += size + 12) {
        const uint8_t *chunk = (const uint8_t *) png.data + at;

        size =
            (size_t) chunk[0] << 24 | (size_t) chunk[1] << 16 | (size_t) chunk[2] << 8 | chunk[3];
        if (memcmp(chunk + 4, "IDAT", 4) == 0)
            buf_put(&packed, chunk + 8, size);
    }
    if (!inflate || !rows ||
        libdeflate_zlib_decompress(inflate, packed.data, packed.len, rows, room, &n))
        fail("the PNG's rows cannot be read");
    buf_free(&page->rows);
    buf_put(&page->rows, rows, n);
    free(rows);
    libdeflate_free_decompressor(inflate);
    buf_free(&png);
    buf_free(&packed);
}

static const struct {
    const char *name;
    void (*write)(struct page *page, struct buf *out);
    int rounds;
} writers[WRITERS] = {
    { "png", as_png, ROUNDS },
    { "zlib", as_zlib, 1 },
    { "libdeflate 1", as_libdeflate, ROUNDS },
    { "mono", as_mono, ROUNDS },
    { "jpeg 85", as_jpeg, ROUNDS },
    { "jpeg 95", as_fine_jpeg, ROUNDS },
};

static double best_of(size_t i, struct page *page, size_t *n)
{
    double best = 1e9;

    for (int round = 0; round < writers[i].rounds; round++) {
        struct buf out = BUF_EMPTY;
        double began = times_now(CLOCK_THREAD_CPUTIME_ID), took;

        writers[i].write(page, &out);
        took = times_now(CLOCK_THREAD_CPUTIME_ID) - began;
        best = took < best ? took : best;
        *n = out.len;
        buf_free(&out);
    }
    return best;
}

int main(int argc, char **argv)
{
    struct err err;
    struct page page = { .png = png_writer_new(&err),
                         .jpeg = jpeg_writer_new(&err),
                         .deflate = libdeflate_alloc_compressor(1) };
    double ms[WRITERS] = { 0 };
    size_t bytes[WRITERS] = { 0 };

    if (!page.png || !page.jpeg || !page.deflate || argc < 2)
        fail("usage: encode FILE.ppm...");
    printf("%-20s", "ms of CPU, kB");
    for (size_t i = 0; i < WRITERS; i++)
        printf(" | %14s", writers[i].name);
    for (int arg = 1; arg < argc; arg++) {
        const char *name = strrchr(argv[arg], '/');

        read_page(argv[arg], &page.pixmap);
        read_rows(&page);
        printf("\n%-20.20s", name ? name + 1 : argv[arg]);
        for (size_t i = 0; i < WRITERS; i++) {
            size_t n = 0;
            double took = best_of(i, &page, &n);

            printf(" | %6.1f %7.1f", took, (double) n / 1e3);
            ms[i] += took;
            bytes[i] += n;
        }
        free((void *) (uintptr_t) page.pixmap.samples);
    }
    printf("\n%-20s", "sum");
    for (size_t i = 0; i < WRITERS; i++)
        printf(" | %6.1f %7.1f", ms[i], (double) bytes[i] / 1e3);
    printf("\n");
    png_writer_free(page.png);
    jpeg_writer_free(page.jpeg);
    libdeflate_free_compressor(page.deflate);
    buf_free(&page.rows);
    return 0;
}
