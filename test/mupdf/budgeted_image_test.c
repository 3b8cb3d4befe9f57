/* budgeted_image: fax images come out as MuPDF decodes them, and decoding is charged. */
#include <string.h>

#include "base/effort.h"
#include "engine/mupdf/budgeted_image.h"
#include "engine/mupdf/image_budget.h"
#include "image/bitmaps.h"
#include "tap.h"

void fz_subsample_pixmap(fz_context *ctx, fz_pixmap *pixmap, int factor);

static fz_context *ctx;

static fz_compressed_buffer *compressed(int type, const void *data, size_t n)
{
    fz_compressed_buffer *buffer = fz_malloc_struct(ctx, fz_compressed_buffer);

    buffer->params.type = type;
    buffer->buffer = fz_new_buffer_from_copied_data(ctx, data, n);
    return buffer;
}

struct fax {
    int stencil;
    float *decode; /* NULL: as is */
    int black_is_1;
    fz_irect area; /* empty: all */
    int halvings;
};

static fz_pixmap *fax_pixmap(fz_image *image, const struct fax *fax)
{
    fz_irect area = fax->area;
    int halvings = fax->halvings;
    fz_pixmap *pixmap =
        image->get_pixmap(ctx, image, area.x1 ? &area : NULL, image->w, image->h, &halvings);

    if (halvings)
        fz_subsample_pixmap(ctx, pixmap, halvings);
    return pixmap;
}

/* Which parts of a pixmap's making differ; NULL: none. */
static const char *apart(const fz_pixmap *a, const fz_pixmap *b)
{
    if (a->w != b->w || a->h != b->h || a->n != b->n || a->alpha != b->alpha)
        return "size";
    if (a->colorspace != b->colorspace || a->flags != b->flags)
        return "kind";
    for (int y = 0; y < a->h; y++)
        if (memcmp(a->samples + y * a->stride, b->samples + y * b->stride, (size_t) a->w * a->n) !=
            0)
            return "pixels";
    return NULL;
}

static const char *judge_fax(const void *data, size_t n, int w, int h, const struct fax *fax)
{
    fz_compressed_buffer *buffers[2];
    fz_image *images[2];
    fz_pixmap *pixmaps[2];
    const char *differs;

    for (int i = 0; i < 2; i++) {
        fz_colorspace *space = fax->stencil ? NULL : fz_device_gray(ctx);

        buffers[i] = compressed(FZ_IMAGE_FAX, data, n);
        buffers[i]->params.u.fax.k = -1;
        buffers[i]->params.u.fax.columns = w;
        buffers[i]->params.u.fax.rows = h;
        buffers[i]->params.u.fax.black_is_1 = fax->black_is_1;
        images[i] = fz_new_image_from_compressed_buffer(
            ctx, w, h, 1, space, 96, 96, 0, fax->stencil, fax->decode, NULL, buffers[i], NULL);
        if (i)
            images[i] = budgeted_image_new(ctx, images[i], 0, 0);
        pixmaps[i] = fax_pixmap(images[i], fax);
    }
    differs = apart(pixmaps[0], pixmaps[1]);
    if (budgeted_image_buffer(ctx, images[1]) != buffers[1])
        differs = "the buffer behind it";
    for (int i = 0; i < 2; i++) {
        fz_drop_pixmap(ctx, pixmaps[i]);
        fz_drop_image(ctx, images[i]);
    }
    return differs;
}

static fz_buffer *fax_of(enum bitmap_motif motif, int w, int h)
{
    struct bitmap bitmap = motif_new(motif, (size_t) w, (size_t) h);
    fz_buffer *buffer = fz_compress_ccitt_fax_g4(ctx, bitmap.data, w, h);

    raster_bitmap_free(&bitmap);
    return buffer;
}

static void test_fax(void)
{
    static float upright[] = { 0, 1 }, turned[] = { 1, 0 };
    static const struct {
        const char *name;
        struct fax fax;
    } cases[] = {
        { "whole", { 0 } },
        { "halved", { .halvings = 1 } },
        { "halved twice", { .halvings = 2 } },
        { "halved six times", { .halvings = 6 } },
        { "black is 1", { .black_is_1 = 1, .halvings = 2 } },
        { "decoded as it is", { .decode = upright, .halvings = 1 } },
        { "turned over", { .decode = turned, .halvings = 2 } },
        { "turned over twice", { .decode = turned, .black_is_1 = 1 } },
        { "a stencil", { .stencil = 1, .halvings = 2 } },
        { "a stencil, turned over", { .stencil = 1, .decode = turned, .halvings = 1 } },
        { "a part", { .area = { 64, 40, 192, 80 }, .halvings = 2 } },
        { "a part to the edges", { .area = { 128, 52, 253, 131 }, .halvings = 2 } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *differs = NULL;

        for (enum bitmap_motif motif = 0; motif < MOTIFS && !differs; motif++) {
            fz_buffer *buffer = fax_of(motif, 253, 131);
            unsigned char *data;
            size_t n = fz_buffer_storage(ctx, buffer, &data);

            differs = judge_fax(data, n, 253, 131, &cases[i].fax);
            fz_drop_buffer(ctx, buffer);
        }
        ok(!differs, "fax, %s: as MuPDF has it%s%s", cases[i].name, differs ? " but " : "",
           differs ? differs : "");
    }
}

/* What is cut or spoilt is MuPDF's to show as it can. */
static void test_fax_damaged(void)
{
    fz_buffer *buffer = fax_of(MOTIF_TEXT, 253, 131);
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, buffer, &data);

    ok(!judge_fax(data, n / 2, 253, 131, &(struct fax){ .halvings = 1 }), "half of a fax");
    memset(data + n / 3, 0, 9);
    ok(!judge_fax(data, n, 253, 131, &(struct fax){ .halvings = 1 }), "a fax with a hole");
    fz_drop_buffer(ctx, buffer);
}

/* A progressive JPEG of one component, 2048 x 2048, whose scans are a few bytes each. */
static fz_buffer *jpeg_of_scans(int scans)
{
    static const uint8_t start[] = { 0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 8, 0, 8, 0, 1, 1, 0x11, 0 };
    static const uint8_t scan[] = { 0xff, 0xda, 0, 8, 1, 1, 0, 1, 1, 0, 0x7f, 0xff, 0 };
    fz_buffer *buffer = fz_new_buffer_from_copied_data(ctx, start, sizeof start);

    for (int i = 0; i < scans; i++)
        fz_append_data(ctx, buffer, scan, sizeof scan);
    return buffer;
}

static void test_budget(void)
{
    fz_compressed_buffer *buffer = fz_malloc_struct(ctx, fz_compressed_buffer);
    double few;
    fz_image *image;

    buffer->params.type = FZ_IMAGE_JPEG;
    buffer->buffer = jpeg_of_scans(20);
    image = fz_new_image_from_compressed_buffer(ctx, 2048, 2048, 8, fz_device_gray(ctx), 96, 96, 0,
                                                0, NULL, NULL, buffer, NULL);
    effort_reset();
    ok(image_budget_spend(ctx, image, buffer, NULL), "a JPEG of twenty scans is decoded");
    few = effort_used().job;
    fz_drop_buffer(ctx, buffer->buffer);
    buffer->buffer = jpeg_of_scans(400);
    effort_reset();
    ok(image_budget_spend(ctx, image, buffer, NULL) && effort_used().job > 15 * few,
       "each scan of a JPEG is charged, for every block");
    fz_drop_buffer(ctx, buffer->buffer);
    buffer->buffer = jpeg_of_scans(20000);
    effort_reset();
    ok(!image_budget_spend(ctx, image, buffer, NULL), "a JPEG of twenty thousand scans is refused");
    fz_drop_image(ctx, image);
}

/* What MuPDF sets after it made an image is decoded by as well. */
static void test_properties(void)
{
    fz_buffer *rows = fz_new_buffer_from_copied_data(ctx, (const uint8_t *) "\x00\x40\x80\xff", 4);
    fz_compressed_buffer *buffer = fz_malloc_struct(ctx, fz_compressed_buffer);
    fz_image *image;
    fz_pixmap *pixmap;

    buffer->params.type = FZ_IMAGE_RAW;
    buffer->buffer = rows;
    image = fz_new_image_from_compressed_buffer(ctx, 2, 2, 8, fz_device_gray(ctx), 96, 96, 0, 0,
                                                NULL, NULL, buffer, NULL);
    image = budgeted_image_new(ctx, image, 0, 0);
    image->use_decode = 1;
    image->decode[0] = 1;
    image->decode[1] = 0;
    pixmap = fz_get_unscaled_pixmap_from_image(ctx, image);
    is_int(pixmap->samples[0], 255, "an image is decoded by the /Decode that it was given later");
    fz_drop_pixmap(ctx, pixmap);
    fz_drop_image(ctx, image);
}

static fz_image *raw(int side, fz_image *mask)
{
    fz_compressed_buffer *buffer = compressed(FZ_IMAGE_RAW, "\x00\x40\x80\xff", 4);

    return fz_new_image_from_compressed_buffer(ctx, side, side, 8,
                                               mask ? fz_device_gray(ctx) : NULL, 96, 96, 0, 0,
                                               NULL, NULL, buffer, mask);
}

/* Masks are decoded within the budget, too, and an image is wrapped only once. */
static void test_masks(void)
{
    fz_image *mask = raw(2, NULL), *image;

    image = budgeted_image_new(ctx, raw(2, mask), 0, 0);
    ok(fz_compressed_image_buffer(ctx, image->mask) == NULL &&
           budgeted_image_buffer(ctx, image->mask) == fz_compressed_image_buffer(ctx, mask),
       "the mask of an image is wrapped");
    ok(budgeted_image_new(ctx, image, 0, 0) == image, "a wrapper is not wrapped again");
    fz_drop_image(ctx, image);
    fz_drop_image(ctx, mask);
}

static void ignore(void *user, const char *message)
{
    (void) user, (void) message;
}

int main(void)
{
    ctx = fz_new_context(NULL, NULL, FZ_STORE_DEFAULT);
    fz_set_warning_callback(ctx, ignore, NULL);
    fz_set_error_callback(ctx, ignore, NULL);
    test_fax();
    test_fax_damaged();
    test_budget();
    test_properties();
    test_masks();
    fz_drop_context(ctx);
    return done_testing();
}
