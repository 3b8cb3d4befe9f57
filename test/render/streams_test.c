/* streams: pictures that src/image decodes for MuPDF come out as MuPDF decodes them. */
#include <string.h>

#include "image/bitmaps.h"
#include "image/jpeg_writer.h"
#include "image/picture.h"
#include "render/stand_ins.h"
#include "tap.h"

static fz_context *ctx;
static struct err err;

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
        images[i] = (i ? __wrap_fz_new_image_from_compressed_buffer
                       : __real_fz_new_image_from_compressed_buffer)(
            ctx, w, h, 1, space, 96, 96, 0, fax->stencil, fax->decode, NULL, buffers[i], NULL);
        pixmaps[i] = fax_pixmap(images[i], fax);
    }
    differs = apart(pixmaps[0], pixmaps[1]);
    if (fz_compressed_image_buffer(ctx, images[1]) != buffers[1])
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

    bitmap_free(&bitmap);
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

static fz_buffer *decoded(bool ours, const fz_compressed_buffer *from, int *halvings)
{
    fz_compressed_buffer copy = *from;
    fz_stream *stream =
        (ours ? __wrap_fz_open_image_decomp_stream_from_buffer
              : __real_fz_open_image_decomp_stream_from_buffer)(ctx, &copy, halvings);
    unsigned char *room = fz_malloc(ctx, 1 << 20);
    size_t n = fz_read(ctx, stream, room, 1 << 20); /* ends where it fails */

    fz_drop_stream(ctx, stream);
    return fz_new_buffer_from_data(ctx, room, n);
}

/* Rows of colours with a predictor's number (RFC 2083, 6) before each, if there is to be one. */
static fz_buffer *flate_of(int predictor, size_t bytes)
{
    uint8_t *rows = fz_malloc(ctx, bytes);
    fz_buffer *buffer;
    unsigned char *data;
    uint32_t seed = 5;
    size_t n;

    for (size_t i = 0; i < bytes; i++)
        rows[i] = (uint8_t) (i / 40 + picture_random(&seed) % 3);
    for (size_t i = 0; predictor >= 10 && i < bytes; i += 301)
        rows[i] = (uint8_t) (i / 301 % 5);
    data = fz_new_deflated_data(ctx, &n, rows, bytes, FZ_DEFLATE_DEFAULT);
    buffer = fz_new_buffer_from_data(ctx, data, n);
    fz_free(ctx, rows);
    return buffer;
}

/* How many bytes are the same in both; -1: they are not. */
static long same_flate(const void *data, size_t n, int predictor)
{
    fz_compressed_buffer *from = compressed(FZ_IMAGE_FLATE, data, n);
    fz_buffer *a, *b;
    unsigned char *p, *q;
    size_t n_a, n_b;
    bool same;

    from->params.u.flate.predictor = predictor;
    from->params.u.flate.columns = 100;
    from->params.u.flate.colors = 3;
    from->params.u.flate.bpc = 8;
    a = decoded(false, from, NULL);
    b = decoded(true, from, NULL);
    n_a = fz_buffer_storage(ctx, a, &p);
    n_b = fz_buffer_storage(ctx, b, &q);
    same = n_a == n_b && memcmp(p, q, n_a) == 0;
    fz_drop_buffer(ctx, a);
    fz_drop_buffer(ctx, b);
    fz_drop_compressed_buffer(ctx, from);
    return same ? (long) n_a : -1;
}

/* Whether all of it is there at once, as our way has it. */
static bool is_at_once(fz_buffer *buffer, size_t bytes)
{
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, buffer, &data);
    fz_compressed_buffer *from = compressed(FZ_IMAGE_FLATE, data, n);
    fz_stream *stream = __wrap_fz_open_image_decomp_stream_from_buffer(ctx, from, NULL);
    bool whole = fz_available(ctx, stream, 1) == bytes;

    fz_drop_stream(ctx, stream);
    fz_drop_compressed_buffer(ctx, from);
    return whole;
}

static void test_flate(void)
{
    static const int predictors[] = { 1, 2, 15 };
    const size_t bytes = (size_t) 301 * 200, large = (size_t) 40 << 20;
    fz_buffer *buffer;
    unsigned char *data;
    size_t n;

    for (size_t i = 0; i < sizeof predictors / sizeof *predictors; i++) {
        int predictor = predictors[i];

        buffer = flate_of(predictor, bytes);
        n = fz_buffer_storage(ctx, buffer, &data);
        ok(same_flate(data, n, predictor) >= 300L * 200, "deflated, predictor %d: as MuPDF has it",
           predictor);
        ok(same_flate(data, n / 2, predictor) > 0, "half of it");
        fz_append_string(ctx, buffer, "and more\n");
        n = fz_buffer_storage(ctx, buffer, &data);
        ok(same_flate(data, n, predictor) >= 300L * 200, "with more behind it");
        memset(data + n / 2, 0xff, 40);
        ok(same_flate(data, n, predictor) > 0, "with a hole");
        fz_drop_buffer(ctx, buffer);
    }
    ok(same_flate("", 0, 1) == 0, "nothing of it");
    buffer = flate_of(1, bytes);
    ok(is_at_once(buffer, bytes), "all of it is there at once");
    fz_drop_buffer(ctx, buffer);
    buffer = flate_of(1, large);
    n = fz_buffer_storage(ctx, buffer, &data);
    ok(same_flate(data, n, 1) > 0 && !is_at_once(buffer, large), "but not what is large");
    fz_drop_buffer(ctx, buffer);
}

static bool same_jpeg(const uint8_t *data, size_t n, int halvings, bool whole)
{
    fz_compressed_buffer *from = compressed(FZ_IMAGE_JPEG, data, n);
    int left[2] = { halvings, halvings };
    fz_buffer *a, *b;
    unsigned char *p, *q;
    size_t n_a, n_b;
    bool same;

    from->params.u.jpeg.color_transform = -1;
    a = decoded(false, from, &left[0]);
    b = decoded(true, from, &left[1]);
    n_a = fz_buffer_storage(ctx, a, &p);
    n_b = fz_buffer_storage(ctx, b, &q);
    same = left[0] == left[1] && n_a == n_b && memcmp(p, q, n_a) == 0 && (n_a > 0 || !whole);
    fz_drop_buffer(ctx, a);
    fz_drop_buffer(ctx, b);
    fz_drop_compressed_buffer(ctx, from);
    return same;
}

static void test_jpeg(enum pixmap_kind kind)
{
    struct pixmap picture = picture_new(PICTURE_MIXED, kind, 301, 203, false);
    AUTO_JPEG_WRITER struct jpeg_writer *writer = jpeg_writer_new(&err);
    struct buf jpeg = BUF_EMPTY;
    const char *colors = kind == PIXMAP_GRAY ? "gray" : "colour";
    uint8_t *data;

    jpeg_writer_write(writer, &picture, 72, 85, sink_buf(&jpeg), &err);
    data = (uint8_t *) jpeg.data;
    for (int halvings = 0; halvings <= 5; halvings++)
        ok(same_jpeg(data, jpeg.len, halvings, true),
           "JPEG in %s, halved %d times: as MuPDF has it", colors, halvings);
    ok(same_jpeg(data, jpeg.len / 2, 0, true), "half of it");
    ok(same_jpeg(data, 30, 0, false), "nothing but its beginning");
    memset(data + jpeg.len / 2, 0xff, 40);
    ok(same_jpeg(data, jpeg.len, 0, true), "with a hole");
    buf_free(&jpeg);
    free((void *) (uintptr_t) picture.samples);
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
    test_flate();
    test_jpeg(PIXMAP_RGB);
    test_jpeg(PIXMAP_GRAY);
    fz_drop_context(ctx);
    return done_testing();
}
