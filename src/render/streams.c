/*
 * streams: pictures decoded by src/image where that is quicker than what MuPDF has, with the same
 * outcome. They take the place of its function (link_args of render_dep); what they are not made
 * for goes on to it.
 */
#include <mupdf/fitz.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "image/ccitt_gray.h"
#include "image/inflate.h"
#include "image/jpeg_lines.h"
#include "render/decoding.h"

#define MOST_HALVINGS 3 /* libjpeg can do */

/* Larger images are decoded by MuPDF, piece by piece, of which only one is in memory. */
#define MOST_DEFLATED ((size_t) 8 << 20)
#define MOST_INFLATED ((size_t) 32 << 20)

fz_stream *__real_fz_open_image_decomp_stream_from_buffer(fz_context *ctx,
                                                          fz_compressed_buffer *buffer,
                                                          int *halvings);
fz_stream *__wrap_fz_open_image_decomp_stream_from_buffer(fz_context *ctx,
                                                          fz_compressed_buffer *buffer,
                                                          int *halvings);
/* NOLINTBEGIN(readability-function-size): MuPDF's */
fz_image *__real_fz_new_image_from_compressed_buffer(fz_context *ctx, int w, int h, int bpc,
                                                     fz_colorspace *space, int xres, int yres,
                                                     int interpolate, int stencil, float *decode,
                                                     int *colorkey, fz_compressed_buffer *buffer,
                                                     fz_image *mask);
fz_image *__wrap_fz_new_image_from_compressed_buffer(fz_context *ctx, int w, int h, int bpc,
                                                     fz_colorspace *space, int xres, int yres,
                                                     int interpolate, int stencil, float *decode,
                                                     int *colorkey, fz_compressed_buffer *buffer,
                                                     fz_image *mask);
/* NOLINTEND(readability-function-size) */
fz_compressed_buffer *__real_fz_compressed_image_buffer(fz_context *ctx, fz_image *image);
fz_compressed_buffer *__wrap_fz_compressed_image_buffer(fz_context *ctx, fz_image *image);

struct jpeg_state {
    struct jpeg_lines *lines;
    fz_buffer *buffer;
};

static int next_rows(fz_context *ctx, fz_stream *stream, size_t most)
{
    struct jpeg_state *state = stream->state;
    const uint8_t *rows;
    size_t n;

    (void) most;
    switch (jpeg_lines_next(state->lines, &rows, &n)) {
    case JPEG_LINES_MORE:
        stream->rp = (unsigned char *) (uintptr_t) rows; /* only read, though not const */
        stream->wp = stream->rp + n;
        stream->pos += (int64_t) n;
        return *stream->rp++;
    case JPEG_LINES_DAMAGED:
        fz_throw(ctx, FZ_ERROR_GENERIC, "a JPEG image is damaged");
    case JPEG_LINES_NO_MEMORY:
        fz_throw(ctx, FZ_ERROR_MEMORY, "a JPEG image");
    case JPEG_LINES_DONE:
        break;
    }
    return EOF;
}

static void drop_jpeg(fz_context *ctx, void *cls)
{
    struct jpeg_state *state = cls;

    jpeg_lines_close(state->lines);
    fz_drop_buffer(ctx, state->buffer);
    fz_free(ctx, state);
}

/* `halvings`: wanted; on return what is left to be done. */
static fz_stream *open_jpeg(fz_context *ctx, const fz_compressed_buffer *buffer, int *halvings)
{
    int ours = halvings && *halvings > 0 ? *halvings : 0;
    struct jpeg_state *state = fz_malloc(ctx, sizeof *state);
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, buffer->buffer, &data);

    ours = ours > MOST_HALVINGS ? MOST_HALVINGS : ours;
    if (halvings)
        *halvings -= ours;
    state->lines = jpeg_lines_open(data, n, buffer->params.u.jpeg.color_transform, (unsigned) ours);
    if (!state->lines) {
        fz_free(ctx, state);
        fz_throw(ctx, FZ_ERROR_MEMORY, "a JPEG image");
    }
    state->buffer = fz_keep_buffer(ctx, buffer->buffer);
    return fz_new_stream(ctx, state, next_rows, drop_jpeg); /* drops the state if it fails */
}

static int no_more(fz_context *ctx, fz_stream *stream, size_t most)
{
    (void) ctx, (void) stream, (void) most;
    return EOF;
}

static void drop_bytes(fz_context *ctx, void *cls)
{
    (void) ctx;
    free(cls);
}

/* NULL: it is large, or damaged, and MuPDF shows what there is of it. */
static fz_stream *open_flate(fz_context *ctx, const fz_compressed_buffer *buffer)
{
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, buffer->buffer, &data), n_bytes;
    uint8_t *bytes = n <= MOST_DEFLATED ? inflate_all(data, n, MOST_INFLATED, &n_bytes) : NULL;
    fz_stream *stream, *rows = NULL;

    if (!bytes)
        return NULL;
    stream = fz_new_stream(ctx, bytes, no_more, drop_bytes); /* drops the bytes if it fails */
    stream->rp = bytes;
    stream->wp = bytes + n_bytes;
    stream->pos = (int64_t) n_bytes;
    if (buffer->params.u.flate.predictor <= 1)
        return stream;
    fz_try(ctx)
    {
        rows = fz_open_predict(ctx, stream, buffer->params.u.flate.predictor,
                               buffer->params.u.flate.columns, buffer->params.u.flate.colors,
                               buffer->params.u.flate.bpc);
    }
    fz_always(ctx)
    {
        fz_drop_stream(ctx, stream);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return rows;
}

fz_stream *__wrap_fz_open_image_decomp_stream_from_buffer(fz_context *ctx,
                                                          fz_compressed_buffer *buffer,
                                                          int *halvings)
{
    fz_stream *stream = buffer->params.type == FZ_IMAGE_FLATE ? open_flate(ctx, buffer) : NULL;

    if (stream)
        return stream;
    if (buffer->params.type == FZ_IMAGE_JPEG)
        return open_jpeg(ctx, buffer, halvings);
    return __real_fz_open_image_decomp_stream_from_buffer(ctx, buffer, halvings);
}

/* Fax-coded images of gray and stencils: decoded and reduced at once. */
static bool is_fax(fz_context *ctx, fz_image *image, const fz_compressed_buffer *buffer,
                   const fz_irect *area, int halvings)
{
    bool plain = image->decode[0] == 0 && image->decode[1] == 1;
    bool turned = image->decode[0] == 1 && image->decode[1] == 0;

    return image->n == 1 && image->bpc == 1 && !image->use_colorkey && (plain || turned) &&
           image->w > 0 && image->h > 0 && buffer->params.u.fax.columns == image->w &&
           !fz_colorspace_is_indexed(ctx, image->colorspace) && halvings >= 0 &&
           halvings <= CCITT_GRAY_HALVINGS && area->x0 >= 0 && area->y0 >= 0 &&
           area->x0 < area->x1 && area->y0 < area->y1 && area->x1 <= image->w &&
           area->y1 <= image->h;
}

static fz_pixmap *read_fax(fz_context *ctx, fz_image *image, const fz_compressed_buffer *buffer,
                           const fz_irect *area, int halvings)
{
    int side = 1 << halvings;
    struct ccitt_gray how = {
        .how = { .k = buffer->params.u.fax.k,
                 .byte_aligned = buffer->params.u.fax.encoded_byte_align },
        .width = (uint32_t) image->w,
        .height = (uint32_t) image->h,
        .x0 = (uint32_t) area->x0,
        .y0 = (uint32_t) area->y0,
        .x1 = (uint32_t) area->x1,
        .y1 = (uint32_t) area->y1,
        .halvings = (unsigned) halvings,
        .black_is_1 = buffer->params.u.fax.black_is_1,
        .inverted = image->imagemask != (image->decode[0] == 1),
    };
    fz_pixmap *pixmap = fz_new_pixmap(
        ctx, image->colorspace, (area->x1 - area->x0 + side - 1) >> halvings,
        (area->y1 - area->y0 + side - 1) >> halvings, NULL, image->colorspace == NULL);
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, buffer->buffer, &data);

    if (!ccitt_gray(data, n, &how, pixmap->samples, (size_t) pixmap->stride)) {
        fz_drop_pixmap(ctx, pixmap);
        return NULL;
    }
    pixmap->flags = (unsigned char) ((pixmap->flags & ~(unsigned) FZ_PIXMAP_FLAG_INTERPOLATE) |
                                     (image->interpolate ? FZ_PIXMAP_FLAG_INTERPOLATE : 0U));
    return pixmap;
}

static _Atomic(fz_image_get_pixmap_fn *) read_compressed; /* MuPDF's own, always the same */

/* What MuPDF has behind an image that it decodes: it is asked for, and given out, only where it has
 * been seen to be there. */
static fz_compressed_buffer *behind(const fz_image *image)
{
    fz_compressed_buffer *buffer;

    memcpy(&buffer, image + 1, sizeof buffer);
    return buffer;
}

/* What is damaged is left to MuPDF, which shows what there is of it. */
static fz_pixmap *read_image(fz_context *ctx, fz_image *image, fz_irect *area, int w, int h,
                             int *halvings)
{
    fz_compressed_buffer *buffer = behind(image);
    fz_irect whole = { 0, 0, image->w, image->h };
    const fz_irect *wanted = area ? area : &whole;
    fz_pixmap *pixmap = NULL;

    if (!decoding_spend(ctx, image, buffer, area))
        fz_throw(ctx, FZ_ERROR_GENERIC, "a picture asks for too much work");
    if (buffer->params.type == FZ_IMAGE_FAX &&
        is_fax(ctx, image, buffer, wanted, halvings ? *halvings : 0))
        pixmap = read_fax(ctx, image, buffer, wanted, halvings ? *halvings : 0);
    if (!pixmap)
        return atomic_load(&read_compressed)(ctx, image, area, w, h, halvings);
    if (halvings)
        *halvings = 0;
    return pixmap;
}

/* MuPDF knows such images by their function. */
fz_compressed_buffer *__wrap_fz_compressed_image_buffer(fz_context *ctx, fz_image *image)
{
    if (image && image->get_pixmap == read_image)
        return behind(image);
    return __real_fz_compressed_image_buffer(ctx, image);
}

/* NOLINTNEXTLINE(readability-function-size) */
fz_image *__wrap_fz_new_image_from_compressed_buffer(fz_context *ctx, int w, int h, int bpc,
                                                     fz_colorspace *space, int xres, int yres,
                                                     int interpolate, int stencil, float *decode,
                                                     int *colorkey, fz_compressed_buffer *buffer,
                                                     fz_image *mask)
{
    fz_image *image = __real_fz_new_image_from_compressed_buffer(
        ctx, w, h, bpc, space, xres, yres, interpolate, stencil, decode, colorkey, buffer, mask);

    if (buffer && behind(image) == buffer) {
        atomic_store(&read_compressed, image->get_pixmap);
        image->get_pixmap = read_image;
    }
    return image;
}
