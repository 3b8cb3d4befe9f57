#include "image/encode/png_writer.h"

#include <png.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fdio.h"
#include "image/picture.h"
#include "image/png_read.h"
#include "tap.h"

static struct err err;
static struct png_writer *writer;

static bool same_pixel(const struct pixmap *pixmap, const uint8_t *p, const uint8_t *got)
{
    bool gray = pixmap->kind < PIXMAP_RGB, has_alpha = pixmap->kind % 2 == 0;
    unsigned alpha = has_alpha ? p[pixmap->kind - 1] : 255;

    for (unsigned i = 0; i < 3; i++) {
        unsigned want = p[gray ? 0 : i];

        if (pixmap->premultiplied && has_alpha) /* what was told apart, multiplied again */
            want = alpha ? (want * 510 + alpha) / (2 * alpha) : 0;
        if (got[i] != want)
            return false;
    }
    return got[3] == alpha;
}

/* What libpng reads is what was written. */
static bool same(const struct pixmap *pixmap, const struct png_read *got)
{
    if (got->width != pixmap->width || got->height != pixmap->height)
        return false;
    for (uint32_t y = 0; y < pixmap->height; y++) {
        for (uint32_t x = 0; x < pixmap->width; x++) {
            if (!same_pixel(pixmap,
                            pixmap->samples + y * pixmap->stride + (size_t) x * pixmap->kind,
                            got->rgba + 4 * ((size_t) y * got->width + x)))
                return false;
        }
    }
    return true;
}

/* Writes and reads; *kind is what the file says of itself. In bands of so many rows, or 0. */
static bool round_trip(const struct pixmap *pixmap, uint32_t band, struct png_read *got)
{
    struct buf file = BUF_EMPTY;
    struct sink sink = sink_buf(&file);
    struct pixmap part = *pixmap;
    bool good = true;

    if (band == 0) {
        good = png_writer_write(writer, pixmap, 150, false, sink, &err) == 0;
    } else {
        good = png_writer_begin(writer, pixmap->width, pixmap->height, pixmap->kind, 150, false,
                                sink, &err) == 0;
        for (uint32_t y = 0; good && y < pixmap->height; y += band) {
            part.height = pixmap->height - y < band ? pixmap->height - y : band;
            part.samples = pixmap->samples + y * pixmap->stride;
            good = png_writer_rows(writer, &part, &err) == 0;
        }
        good = good && png_writer_end(writer, &err) == 0;
    }
    good = good && png_read(&file, got) && same(pixmap, got);
    free(got->rgba);
    buf_free(&file);
    return good;
}

static void drop(struct pixmap *pixmap)
{
    free((void *) (uintptr_t) pixmap->samples);
}

static void test_widths(enum picture picture, enum pixmap_kind kind, bool premultiplied)
{
    uint32_t bad = 0, bad_bands = 0;
    struct png_read got = { 0 };

    for (uint32_t width = 1; width <= 70; width++) {
        struct pixmap pixmap = picture_new(picture, kind, width, width % 9 * 11 + 1, premultiplied);

        if (!bad && !round_trip(&pixmap, 0, &got))
            bad = width;
        if (!bad_bands && !round_trip(&pixmap, width % 5 + 1, &got))
            bad_bands = width;
        drop(&pixmap);
    }
    is_int(bad, 0, "picture %d, %d channels%s: each width comes out as it went in", picture, kind,
           premultiplied ? ", premultiplied" : "");
    is_int(bad_bands, 0, "picture %d, %d channels: in bands too", picture, kind);
}

/* Larger than the window and than a piece of the encoder. */
static void test_large(enum picture picture, enum pixmap_kind kind)
{
    struct pixmap pixmap = picture_new(picture, kind, 1001, 701, false);
    struct png_read got = { 0 };

    ok(round_trip(&pixmap, 0, &got), "picture %d, %d channels: 1001 x 701", picture, kind);
    drop(&pixmap);
    pixmap = picture_new(picture, kind, 70001, 9, false);
    ok(round_trip(&pixmap, 0, &got) && round_trip(&pixmap, 2, &got),
       "picture %d, %d channels: rows longer than the window of deflate", picture, kind);
    drop(&pixmap);
}

/* In n parts, the last first, by writers in turn; and what that adds to the file, in bytes. */
static bool parted(const struct pixmap *pixmap, struct png_writer *const writers[2], uint32_t n,
                   int64_t *more)
{
    struct buf file = BUF_EMPTY, whole = BUF_EMPTY, files[4] = { BUF_EMPTY };
    struct png_part parts[4];
    struct png_read got = { 0 };
    uint32_t step = pixmap->height / PNG_PART_ROWS / n * PNG_PART_ROWS;
    bool good = true;

    for (uint32_t i = n; i-- > 0;) {
        uint32_t from = i * step, to = i + 1 == n ? pixmap->height : from + step;

        good = good && png_writer_part(writers[i % 2], pixmap, 150, from, to - from,
                                       sink_buf(&files[i]), &parts[i], &err) == 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        buf_put(&file, files[i].data, files[i].len);
        buf_free(&files[i]);
    }
    good = good && png_writer_join(writers[1], parts, n, sink_buf(&file), &err) == 0 &&
           png_writer_write(writers[0], pixmap, 150, false, sink_buf(&whole), &err) == 0 &&
           png_read(&file, &got) && same(pixmap, &got) && got.x_per_metre == 5906;
    *more = (int64_t) file.len - (int64_t) whole.len;
    free(got.rgba);
    buf_free(&file);
    buf_free(&whole);
    return good;
}

static void test_parts(enum picture picture, enum pixmap_kind kind)
{
    struct png_writer *second = png_writer_new(&err);
    struct png_writer *const writers[] = { writer, second };
    int64_t more = 0, most = 0;
    int bad = 0;

    for (uint32_t n = 2; n <= 4; n++)
        for (uint32_t height = 261; height < 700; height += 366) {
            struct pixmap pixmap = picture_new(picture, kind, 301, height, true);

            bad += !parted(&pixmap, writers, n, &more);
            most = more > most ? more : most;
            drop(&pixmap);
        }
    ok(bad == 0, "picture %d, %d channels: parts made apart are one image", picture, kind);
    ok(most < 3000, "and hardly larger: %lld bytes", (long long) most);
    png_writer_free(second);
}

/* n colours, each somewhere, by `step` apart; gray or not, opaque or not. */
static struct pixmap colors_new(enum pixmap_kind kind, unsigned n, unsigned step, bool gray,
                                bool opaque)
{
    struct pixmap pixmap = picture_new(PICTURE_NOISE, kind, 37, 41, false);
    uint8_t *samples = (uint8_t *) (uintptr_t) pixmap.samples;

    for (uint32_t i = 0; i < 37 * 41; i++) {
        uint8_t *p = samples + i / 37 * pixmap.stride + (size_t) (i % 37) * kind;
        unsigned color = i * 7 % n;

        for (unsigned c = 0; c < kind; c++)
            p[c] = (uint8_t) (color * step);
        if (kind >= PIXMAP_RGB && !gray)
            p[1] = (uint8_t) (color / 256 + 1);
        if (kind % 2 == 0)
            p[kind - 1] = (uint8_t) (opaque ? 255 : 254 - color);
    }
    return pixmap;
}

static void test_form(struct pixmap pixmap, int color_type, int bits, const char *what)
{
    struct png_read got = { 0 };

    if (!ok(round_trip(&pixmap, 0, &got) && got.color_type == color_type && got.bits == bits, "%s",
            what))
        printf("#   got: type %d, %d bits\n", got.color_type, got.bits);
    drop(&pixmap);
}

static void test_forms(void)
{
    static const struct {
        unsigned n;
        int bits;
    } palettes[] = { { 1, 1 }, { 2, 1 },  { 3, 2 },  { 4, 2 },
                     { 5, 4 }, { 16, 4 }, { 17, 8 }, { 256, 8 } };
    int gray = PNG_COLOR_TYPE_GRAY, palette = PNG_COLOR_TYPE_PALETTE;

    for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++) {
        char what[64];

        snprintf(what, sizeof what, "%u colours are a palette of %d bits", palettes[i].n,
                 palettes[i].bits);
        test_form(colors_new(PIXMAP_RGB, palettes[i].n, 1, false, true), palette, palettes[i].bits,
                  what);
        test_form(colors_new(PIXMAP_RGBA, palettes[i].n, 1, false, true), palette, palettes[i].bits,
                  "opaque colours with alpha are a palette too");
    }
    test_form(colors_new(PIXMAP_RGB, 257, 1, false, true), PNG_COLOR_TYPE_RGB, 8,
              "257 colours are RGB");
    test_form(colors_new(PIXMAP_RGBA, 257, 1, false, true), PNG_COLOR_TYPE_RGB, 8,
              "an alpha that is opaque is left out");
    test_form(colors_new(PIXMAP_RGBA, 200, 1, false, false), palette, 8,
              "colours that are not opaque are a palette too");
    test_form(colors_new(PIXMAP_GRAY_ALPHA, 3, 1, true, false), palette, 2,
              "grays that are not opaque are a palette");
    test_form(colors_new(PIXMAP_RGB, 256, 1, true, true), gray, 8, "256 grays are gray");
    test_form(colors_new(PIXMAP_RGBA, 17, 1, true, true), gray, 8, "17 grays are gray");
    test_form(colors_new(PIXMAP_RGB, 16, 17, true, true), gray, 4, "16 even grays have 4 bits");
    test_form(colors_new(PIXMAP_GRAY, 4, 85, true, true), gray, 2, "4 even grays have 2 bits");
    test_form(colors_new(PIXMAP_GRAY, 2, 255, true, true), gray, 1, "black and white has 1 bit");
    test_form(colors_new(PIXMAP_GRAY, 2, 100, true, true), palette, 1,
              "2 uneven grays are a palette of 1 bit");
    test_form(colors_new(PIXMAP_GRAY, 5, 17, true, true), gray, 4,
              "5 grays of 16 even ones are gray of 4 bits");
}

static void test_noise_with_alpha(void)
{
    test_form(picture_new(PICTURE_NOISE, PIXMAP_RGBA, 50, 50, true), PNG_COLOR_TYPE_RGB_ALPHA, 8,
              "colours with alpha stay RGBA");
    test_form(picture_new(PICTURE_NOISE, PIXMAP_GRAY_ALPHA, 50, 50, false),
              PNG_COLOR_TYPE_GRAY_ALPHA, 8, "grays with alpha stay so");
}

static void test_resolution(void)
{
    struct pixmap pixmap = picture_new(PICTURE_FLAT, PIXMAP_RGB, 20, 20, false);
    struct png_read got = { 0 };

    ok(round_trip(&pixmap, 0, &got), "an image of 150 dpi is written");
    is_int(got.x_per_metre, 5906, "an image of 150 dpi has 5906 pixels per metre");
    drop(&pixmap);
}

static void test_mono(void)
{
    struct pixmap pixmap = picture_new(PICTURE_FLAT, PIXMAP_GRAY, 400, 200, false);
    uint8_t *samples = (uint8_t *) (uintptr_t) pixmap.samples;
    struct buf file = BUF_EMPTY;
    struct png_read got;
    size_t white = 0, kept = 0;

    for (uint32_t y = 0; y < 200; y++) /* black and white, and a tint of 64 */
        memset(samples + y * pixmap.stride, y < 50 ? 0 : y < 100 ? 255 : 64, 400);
    ok(png_writer_write(writer, &pixmap, 300, true, sink_buf(&file), &err) == 0 &&
           png_read(&file, &got),
       "black and white is written");
    is_int(got.bits, 1, "black and white has 1 bit for each pixel");
    for (size_t i = 0; i < (size_t) 400 * 100; i++)
        kept += got.rgba[4 * i] == (i < 400 * 50 ? 0 : 255);
    is_int(kept, 400 * 100, "what is black or white stays so");
    for (size_t i = (size_t) 400 * 100; i < (size_t) 400 * 200; i++)
        white += got.rgba[4 * i] == 255;
    ok(white > 9600 && white < 10400, "a tint becomes dots of its brightness: %zu of 10040", white);
    free(got.rgba);
    buf_free(&file);
    drop(&pixmap);
}

static int put_nothing(void *to, const void *data, size_t n, struct err *e)
{
    (void) to;
    (void) data;
    (void) n;
    return err_set(e, ERR_STORAGE_FULL, "full");
}

static void test_errors(void)
{
    struct pixmap pixmap = picture_new(PICTURE_NOISE, PIXMAP_RGB, 600, 400, false), part = pixmap;
    struct png_read got = { 0 };
    struct buf file = BUF_EMPTY;

    err.code = ERR_INTERNAL;
    is_int(png_writer_write(writer, &pixmap, 72, false, (struct sink){ put_nothing, NULL }, &err),
           -1, "a sink that fails is an error");
    is_int(err.code, ERR_STORAGE_FULL, "a sink that fails is reported with its code");
    part.height = 0;
    ok(png_writer_write(writer, &part, 72, false, sink_buf(&file), &err) < 0 &&
           err.code == ERR_LIMIT_EXCEEDED,
       "an image without rows is refused");
    ok(png_writer_begin(writer, 2000000, 1, PIXMAP_RGB, 72, false, sink_buf(&file), &err) < 0 &&
           err.code == ERR_LIMIT_EXCEEDED,
       "an image that is too wide is refused");
    ok(png_writer_begin(writer, 600, 401, PIXMAP_RGB, 72, false, sink_buf(&file), &err) == 0 &&
           png_writer_rows(writer, &pixmap, &err) == 0 && png_writer_end(writer, &err) < 0,
       "an end before the last row is refused");
    is_int(png_writer_rows(writer, &pixmap, &err), -1, "more rows than were announced are refused");
    part = pixmap;
    part.kind = PIXMAP_GRAY;
    ok(png_writer_begin(writer, 600, 400, PIXMAP_RGB, 72, false, sink_buf(&file), &err) == 0 &&
           png_writer_rows(writer, &part, &err) < 0,
       "a band of another kind is refused");
    ok(round_trip(&pixmap, 0, &got), "after an error the writer writes the next image");
    buf_free(&file);
    drop(&pixmap);
}

static void test_descriptor(void)
{
    struct pixmap pixmap = picture_new(PICTURE_SMOOTH, PIXMAP_RGB, 300, 200, false);
    int fd = fdio_memory_file(&err);
    struct buf file = BUF_EMPTY;
    struct png_read got;

    ok(png_writer_write(writer, &pixmap, 72, false, sink_fd(&fd), &err) == 0 &&
           lseek(fd, 0, SEEK_SET) == 0 && fdio_read_all(fd, 1 << 24, &file, &err) == 0 &&
           png_read(&file, &got),
       "an image is written to a descriptor");
    ok(same(&pixmap, &got), "an image that was written to a descriptor is read back unchanged");
    free(got.rgba);
    buf_free(&file);
    close(fd);
    drop(&pixmap);
}

int main(void)
{
    static const enum pixmap_kind kinds[] = { PIXMAP_GRAY, PIXMAP_GRAY_ALPHA, PIXMAP_RGB,
                                              PIXMAP_RGBA };

    writer = png_writer_new(&err);
    for (enum picture picture = 0; picture < PICTURES; picture++) {
        for (size_t i = 0; i < 4; i++) {
            test_widths(picture, kinds[i], false);
            if (kinds[i] % 2 == 0)
                test_widths(picture, kinds[i], true);
            test_large(picture, kinds[i]);
            if (picture == PICTURE_FLAT || picture == PICTURE_SMOOTH)
                test_parts(picture, kinds[i]);
        }
    }
    test_forms();
    test_noise_with_alpha();
    test_resolution();
    test_mono();
    test_errors();
    test_descriptor();
    png_writer_free(writer);
    return done_testing();
}
