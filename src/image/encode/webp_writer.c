#include "image/encode/webp_writer.h"

#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

#include "base/scope.h"
#include "image/encode/pixel.h"

struct webp_writer {
    uint8_t *rgb; /* of the picture: 3 bytes a pixel, or 4 with alpha */
    size_t room;
    struct pixmap shape;
    uint32_t n_rows; /* number of rows that were added */
    struct webp_options options;
    struct sink sink;
};

static int no_memory_for_webp(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "a picture needs more memory than a job has: choose a lower resolution");
}

static size_t bytes_of(const struct pixmap *pixmap)
{
    return pixel_has_alpha(pixmap) ? 4 : 3;
}

/* Writes row y as RGB or RGBA, with colours that are not multiplied by alpha. */
static void widen(const struct pixmap *pixmap, uint32_t y, uint8_t *out)
{
    const uint8_t *in = pixel_row_of(pixmap, y);
    bool alpha = pixel_has_alpha(pixmap), gray = pixmap->kind < PIXMAP_RGB;
    size_t n = bytes_of(pixmap), last = (size_t) pixmap->kind - 1;

    if (pixmap->kind == PIXMAP_RGB) {
        memcpy(out, in, (size_t) pixmap->width * 3);
        return;
    }
    for (uint32_t x = 0; x < pixmap->width; x++, in += pixmap->kind, out += n) {
        for (size_t i = 0; i < 3; i++)
            out[i] = pixmap->premultiplied && alpha ? pixel_straight(in[gray ? 0 : i], in[last])
                                                    : in[gray ? 0 : i];
        if (alpha)
            out[3] = in[last];
    }
}

static int put_webp(const uint8_t *data, size_t n, const WebPPicture *picture)
{
    buf_put(picture->custom_ptr, data, n);
    return !((struct buf *) picture->custom_ptr)->failed;
}

static int import(WebPPicture *picture, const struct pixmap *shape, const uint8_t *rgb)
{
    int stride = (int) (shape->width * bytes_of(shape));

    return pixel_has_alpha(shape) ? WebPPictureImportRGBA(picture, rgb, stride)
                                  : WebPPictureImportRGB(picture, rgb, stride);
}

static int encode_webp(const struct pixmap *shape, const uint8_t *rgb,
                       const struct webp_options *options, struct buf *out)
{
    WebPConfig config;
    WebPPicture picture;
    int done;

    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return 0;
    config.quality = options->quality;
    config.method = options->method;
    config.lossless = options->lossless;
    config.exact = 0; /* the colour of a transparent pixel is not seen */
    picture.use_argb = options->lossless;
    picture.width = (int) shape->width;
    picture.height = (int) shape->height;
    picture.writer = put_webp;
    picture.custom_ptr = out;
    done = import(&picture, shape, rgb) && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    return done;
}

static int write_webp(const struct pixmap *shape, const uint8_t *rgb,
                      const struct webp_options *options, struct sink sink, struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (!encode_webp(shape, rgb, options, &out))
        return no_memory_for_webp(err);
    return sink.put(sink.to, out.data, out.len, err);
}

int webp_writer_write(const struct pixmap *pixmap, const struct webp_options *options,
                      struct sink sink, struct err *err)
{
    size_t row = pixmap->width * bytes_of(pixmap);
    AUTO_FREE uint8_t *rgb = malloc(row * pixmap->height);

    if (!rgb)
        return no_memory_for_webp(err);
    for (uint32_t y = 0; y < pixmap->height; y++)
        widen(pixmap, y, rgb + y * row);
    return write_webp(pixmap, rgb, options, sink, err);
}

struct webp_writer *webp_writer_new(struct err *err)
{
    struct webp_writer *writer = calloc(1, sizeof *writer);

    if (!writer)
        no_memory_for_webp(err);
    return writer;
}

void webp_writer_free(struct webp_writer *writer)
{
    if (!writer)
        return;
    free(writer->rgb);
    free(writer);
}

int webp_writer_begin(struct webp_writer *writer, const struct pixmap *shape,
                      const struct webp_options *options, struct sink sink, struct err *err)
{
    size_t bytes = shape->width * bytes_of(shape) * shape->height;

    if (bytes > writer->room) {
        free(writer->rgb);
        writer->rgb = malloc(bytes);
        writer->room = writer->rgb ? bytes : 0;
        if (!writer->rgb)
            return no_memory_for_webp(err);
    }
    writer->shape = *shape;
    writer->n_rows = 0;
    writer->options = *options;
    writer->sink = sink;
    return 0;
}

int webp_writer_rows(struct webp_writer *writer, const struct pixmap *band, struct err *err)
{
    size_t row = writer->shape.width * bytes_of(&writer->shape);

    if (band->height > writer->shape.height - writer->n_rows)
        return err_set(err, ERR_INTERNAL, "a picture has more rows than it said");
    for (uint32_t y = 0; y < band->height; y++)
        widen(band, y, writer->rgb + writer->n_rows++ * row);
    return 0;
}

int webp_writer_end(struct webp_writer *writer, struct err *err)
{
    return write_webp(&writer->shape, writer->rgb, &writer->options, writer->sink, err);
}
