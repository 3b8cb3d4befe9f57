#include "image/encode/jpeg_writer.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "image/picture.h"
#include "tap.h"

static struct err err;
static struct jpeg_writer *writer;

struct decoded {
    uint32_t width, height;
    int components, h_sampling, v_sampling, unit, density;
    uint8_t *samples;
};

static jmp_buf refused;

static void refuse(j_common_ptr jpeg)
{
    (void) jpeg;
    longjmp(refused, 1);
}

static void warn(j_common_ptr jpeg, int level)
{
    if (level < 0) /* a warning: data that is not as it should be */
        longjmp(refused, 1);
    (void) jpeg;
}

static void decode_image(struct jpeg_decompress_struct *jpeg, const struct buf *file,
                         struct decoded *out)
{
    jpeg_create_decompress(jpeg);
    jpeg_mem_src(jpeg, (const unsigned char *) file->data, file->len);
    jpeg_read_header(jpeg, TRUE);
    out->width = jpeg->image_width;
    out->height = jpeg->image_height;
    out->components = jpeg->num_components;
    out->h_sampling = jpeg->comp_info[0].h_samp_factor;
    out->v_sampling = jpeg->comp_info[0].v_samp_factor;
    out->unit = jpeg->density_unit;
    out->density = jpeg->X_density;
    jpeg_start_decompress(jpeg);
    out->samples = malloc((size_t) out->width * out->height * (size_t) out->components);
    while (jpeg->output_scanline < out->height) {
        JSAMPROW row =
            out->samples + (size_t) jpeg->output_scanline * out->width * (size_t) out->components;

        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
}

/* Not more than once: false is the end of the test. */
static bool decode(const struct buf *file, struct decoded *out)
{
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;

    memset(out, 0, sizeof *out);
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = refuse;
    errors.emit_message = warn;
    if (setjmp(refused) != 0)
        return false;
    decode_image(&jpeg, file, out);
    jpeg_destroy_decompress(&jpeg);
    return true;
}

/* The mean difference of a sample, in hundredths. */
static unsigned distance(const struct pixmap *pixmap, const struct decoded *got)
{
    uint64_t sum = 0, colors = (uint64_t) got->components;

    for (uint32_t y = 0; y < pixmap->height; y++) {
        for (uint32_t x = 0; x < pixmap->width; x++) {
            const uint8_t *p = pixmap->samples + y * pixmap->stride + (size_t) x * pixmap->kind;
            const uint8_t *q = got->samples + ((size_t) y * got->width + x) * colors;

            for (uint64_t i = 0; i < colors; i++)
                sum += (uint64_t) abs(p[i] - q[i]);
        }
    }
    return (unsigned) (100 * sum / (colors * pixmap->width * pixmap->height));
}

static void drop(struct pixmap *pixmap)
{
    free((void *) (uintptr_t) pixmap->samples);
}

static void make_gray(struct pixmap *pixmap)
{
    for (uint32_t y = 0; y < pixmap->height; y++) {
        uint8_t *p = (uint8_t *) (uintptr_t) pixmap->samples + y * pixmap->stride;

        for (uint32_t x = 0; x < pixmap->width; x++, p += pixmap->kind)
            p[1] = p[2] = p[0];
    }
}

static void test_kind(enum pixmap_kind kind, bool gray, int quality, int components, int sampling)
{
    struct pixmap pixmap = picture_new(PICTURE_SMOOTH, kind, 201, 103, false);
    struct buf file = BUF_EMPTY;
    struct decoded got;
    unsigned far;

    if (gray)
        make_gray(&pixmap);
    ok(jpeg_writer_write(writer, &pixmap, 149.6, quality, sink_buf(&file), &err) == 0 &&
           decode(&file, &got),
       "%d channels%s, quality %d: libjpeg reads it", kind, gray ? " of gray" : "", quality);
    is_int(got.components, components, "the JPEG has %d components", components);
    is_int(10 * got.h_sampling + got.v_sampling, sampling, "the JPEG is sampled as %d", sampling);
    ok(got.width == 201 && got.height == 103, "the JPEG has the size of the pixmap");
    ok(got.unit == 1 && got.density == 150, "the JPEG has the rounded resolution");
    far = distance(&pixmap, &got);
    ok(far < 500, "and looks alike: a sample differs by %u/100", far);
    free(got.samples);
    buf_free(&file);
    drop(&pixmap);
}

/* What libjpeg makes of the rows as they are. */
static void encode_rows(const struct pixmap *pixmap, int quality, struct buf *out)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long n = 0;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &n);
    jpeg.image_width = pixmap->width;
    jpeg.image_height = pixmap->height;
    jpeg.input_components = (int) pixmap->kind;
    jpeg.in_color_space = pixmap->kind == PIXMAP_GRAY  ? JCS_GRAYSCALE
                          : pixmap->kind == PIXMAP_RGB ? JCS_RGB
                                                       : JCS_EXT_RGBX;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    if (pixmap->kind != PIXMAP_GRAY && quality >= JPEG_FULL_COLOR)
        jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
    jpeg.density_unit = 1;
    jpeg.X_density = jpeg.Y_density = 72;
    jpeg_start_compress(&jpeg, TRUE);
    for (uint32_t y = 0; y < pixmap->height; y++) {
        JSAMPROW row = (JSAMPROW) (uintptr_t) (pixmap->samples + y * pixmap->stride);

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    buf_put(out, bytes, n);
    free(bytes);
}

/* The settings are those of libjpeg's defaults: so are the bytes. */
static void test_settings(enum pixmap_kind kind, int quality)
{
    struct pixmap pixmap = picture_new(PICTURE_MIXED, kind, 203, 101, false);
    struct buf file = BUF_EMPTY, other = BUF_EMPTY;

    encode_rows(&pixmap, quality, &other);
    ok(jpeg_writer_write(writer, &pixmap, 72, quality, sink_buf(&file), &err) == 0 &&
           file.len == other.len && memcmp(file.data, other.data, file.len) == 0,
       "%d channels, quality %d: the file is what libjpeg writes by default", kind, quality);
    buf_free(&file);
    buf_free(&other);
    drop(&pixmap);
}

static void test_all_settings(void)
{
    static const enum pixmap_kind kinds[] = { PIXMAP_GRAY, PIXMAP_RGB, PIXMAP_RGBA };
    static const int qualities[] = { 1, 30, 85, 89, 90, 100 };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof qualities / sizeof *qualities; i++)
            test_settings(kinds[k], qualities[i]);
}

static void test_gray_of_one_pixel_less(void)
{
    struct pixmap pixmap = picture_new(PICTURE_SMOOTH, PIXMAP_RGB, 67, 33, false);
    uint8_t *samples = (uint8_t *) (uintptr_t) pixmap.samples;
    struct buf file = BUF_EMPTY;
    struct decoded got;
    uint32_t bad = 0;

    for (uint32_t x = 0; x < 67 && !bad; x++) { /* wherever it stands, one coloured pixel counts */
        make_gray(&pixmap);
        samples[32 * pixmap.stride + (size_t) 3 * x + x % 3] ^= 1;
        file.len = 0;
        if (jpeg_writer_write(writer, &pixmap, 0, 85, sink_buf(&file), &err) < 0 ||
            !decode(&file, &got) || got.components != 3)
            bad = x + 1;
        free(got.samples);
    }
    is_int(bad, 0, "a page with one coloured pixel is not gray");
    ok(got.unit == 0 && got.density == 1, "without dpi there is no resolution");
    buf_free(&file);
    drop(&pixmap);
}

static void test_bands(void)
{
    struct pixmap pixmap = picture_new(PICTURE_MIXED, PIXMAP_RGB, 333, 222, false), part = pixmap;
    struct buf whole = BUF_EMPTY, bands = BUF_EMPTY;
    bool good;

    jpeg_writer_write(writer, &pixmap, 72, 90, sink_buf(&whole), &err);
    good = jpeg_writer_begin(writer, 333, 222, PIXMAP_RGB, 72, 90, sink_buf(&bands), &err) == 0;
    for (uint32_t y = 0; good && y < 222; y += 37) {
        part.height = 37;
        part.samples = pixmap.samples + y * pixmap.stride;
        good = jpeg_writer_rows(writer, &part, &err) == 0;
    }
    ok(good && jpeg_writer_end(writer, &err) == 0, "an image is written in bands");
    ok(whole.len == bands.len && memcmp(whole.data, bands.data, whole.len) == 0,
       "an image in bands has the same bytes as a whole one");
    buf_free(&whole);
    buf_free(&bands);
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
    struct pixmap pixmap = picture_new(PICTURE_NOISE, PIXMAP_RGB, 900, 400, false), part = pixmap;
    struct sink nowhere = { put_nothing, NULL };
    struct buf file = BUF_EMPTY;
    struct decoded got;

    err.code = ERR_INTERNAL;
    ok(jpeg_writer_write(writer, &pixmap, 72, 95, nowhere, &err) < 0 &&
           err.code == ERR_STORAGE_FULL,
       "a sink that fails is an error with the sink's code");
    part.height = 8; /* so little that only the end writes */
    part.width = 8;
    ok(jpeg_writer_write(writer, &part, 72, 95, nowhere, &err) < 0,
       "a sink that fails at the end is an error");
    part.width = 65501;
    ok(jpeg_writer_write(writer, &part, 72, 95, sink_buf(&file), &err) < 0 &&
           err.code == ERR_LIMIT_EXCEEDED,
       "an image that is wider than a JPEG can be is refused");
    part.width = 0;
    ok(jpeg_writer_write(writer, &part, 72, 95, sink_buf(&file), &err) < 0,
       "an image without columns is refused");
    ok(jpeg_writer_begin(writer, 900, 401, PIXMAP_RGB, 72, 95, sink_buf(&file), &err) == 0 &&
           jpeg_writer_rows(writer, &pixmap, &err) == 0 && jpeg_writer_end(writer, &err) < 0,
       "an end before the last row is refused");
    file.len = 0;
    ok(jpeg_writer_write(writer, &pixmap, 72, 95, sink_buf(&file), &err) == 0 &&
           decode(&file, &got),
       "after an error the writer writes the next image");
    free(got.samples);
    buf_free(&file);
    drop(&pixmap);
}

int main(void)
{
    writer = jpeg_writer_new(&err);
    test_kind(PIXMAP_GRAY, false, 85, 1, 11);
    test_kind(PIXMAP_GRAY_ALPHA, false, 85, 1, 11);
    test_kind(PIXMAP_RGB, false, 85, 3, 22);
    test_kind(PIXMAP_RGB, false, 90, 3, 11);
    test_kind(PIXMAP_RGB, true, 85, 1, 11);
    test_kind(PIXMAP_RGBA, false, 85, 3, 22);
    test_kind(PIXMAP_RGBA, true, 95, 1, 11);
    test_all_settings();
    test_gray_of_one_pixel_less();
    test_bands();
    test_errors();
    jpeg_writer_free(writer);
    return done_testing();
}
