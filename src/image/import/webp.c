/* webp: WebP files (RFC 9649), by libwebp; of an animation the first picture. */
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "image/import/exif.h"
#include "image/import/icc.h"
#include "image/import/split.h"

#define EXIF_HEAD "Exif\0" /* and a NUL: some writers add it, as in a JPEG */

static void read_metadata(struct image_file *file, WebPDemuxer *demux, struct image *image)
{
    uint32_t flags = WebPDemuxGetI(demux, WEBP_FF_FORMAT_FLAGS);
    WebPChunkIterator chunk;

    if (flags & ICCP_FLAG && WebPDemuxGetChunk(demux, "ICCP", 1, &chunk)) {
        buf_put(&file->icc, chunk.chunk.bytes, chunk.chunk.size);
        image->icc_dropped =
            file->icc.failed || !icc_fits((const uint8_t *) file->icc.data, file->icc.len, 3);
        if (!image->icc_dropped) {
            image->colour.icc = (const uint8_t *) file->icc.data;
            image->colour.icc_bytes = file->icc.len;
        }
        WebPDemuxReleaseChunkIterator(&chunk);
    }
    if (flags & EXIF_FLAG && WebPDemuxGetChunk(demux, "EXIF", 1, &chunk)) {
        size_t skip = chunk.chunk.size > 6 && memcmp(chunk.chunk.bytes, EXIF_HEAD, 6) == 0 ? 6 : 0;
        struct exif exif;

        exif_read(chunk.chunk.bytes + skip, chunk.chunk.size - skip, &exif);
        if (exif.orientation)
            image->orientation = exif.orientation;
        image->dpi_x = exif.dpi_x;
        image->dpi_y = exif.dpi_y;
        WebPDemuxReleaseChunkIterator(&chunk);
    }
}

static int write_rows(struct image_file *file, const uint8_t *pixels, bool alpha,
                      struct image *image, struct err *err)
{
    AUTO_SPLIT struct split split = { 0 };
    struct split_shape shape = {
        .width = image->width, .height = image->height, .components = 3, .bits = 8, .alpha = alpha
    };
    size_t row = (size_t) image->width * (alpha ? 4 : 3);

    if (split_start(&split, file, &shape, err) < 0)
        return -1;
    for (uint32_t y = 0; y < image->height; y++)
        if (split_row(&split, pixels + y * row, err) < 0)
            return -1;
    return split_finish(&split, image, err);
}

/* Decodes only the first picture, on the whole canvas. */
static int decode_animation(struct image_file *file, const WebPData *data, struct image *image,
                            struct err *err)
{
    WebPAnimDecoderOptions options;
    WebPAnimDecoder *decoder;
    uint8_t *pixels;
    int when, done;

    WebPAnimDecoderOptionsInit(&options);
    options.color_mode = MODE_RGBA;
    decoder = WebPAnimDecoderNew(data, &options);
    if (!decoder)
        return image_no_memory(err);
    if (WebPAnimDecoderGetNext(decoder, &pixels, &when))
        done = write_rows(file, pixels, true, image, err);
    else
        done = image_corrupt(file, err, "its data cannot be decoded");
    WebPAnimDecoderDelete(decoder);
    return done;
}

static int decode_still(struct image_file *file, bool alpha, struct image *image, struct err *err)
{
    int width, height, done;
    uint8_t *pixels = alpha ? WebPDecodeRGBA(file->data, file->n, &width, &height)
                            : WebPDecodeRGB(file->data, file->n, &width, &height);

    if (!pixels)
        return image_corrupt(file, err, "its data cannot be decoded");
    if ((uint32_t) width == image->width && (uint32_t) height == image->height)
        done = write_rows(file, pixels, alpha, image, err);
    else
        done = image_corrupt(file, err, "its sizes contradict each other");
    WebPFree(pixels);
    return done;
}

static int decode_webp(struct image_file *file, WebPDemuxer *demux, const WebPData *data,
                       struct image *image, struct err *err)
{
    uint32_t flags = WebPDemuxGetI(demux, WEBP_FF_FORMAT_FLAGS);
    WebPBitstreamFeatures features;

    image->width = WebPDemuxGetI(demux, WEBP_FF_CANVAS_WIDTH);
    image->height = WebPDemuxGetI(demux, WEBP_FF_CANVAS_HEIGHT);
    image->space = IMAGE_RGB;
    image->bits = 8;
    if (image_check_size(file, image->width, image->height, err) < 0)
        return -1;
    read_metadata(file, demux, image);
    if (flags & ANIMATION_FLAG) {
        file->animated = WebPDemuxGetI(demux, WEBP_FF_FRAME_COUNT) > 1;
        return decode_animation(file, data, image, err);
    }
    if (WebPGetFeatures(file->data, file->n, &features) != VP8_STATUS_OK)
        return image_corrupt(file, err, "its header is wrong");
    return decode_still(file, features.has_alpha, image, err);
}

static int next_webp(struct image_file *file, struct image *image, struct err *err)
{
    WebPData data = { file->data, file->n };
    WebPDemuxer *demux;
    int done;

    if (file->index > 0)
        return 0;
    demux = WebPDemux(&data); /* NULL also if it is truncated */
    if (!demux)
        return image_corrupt(file, err, "it is cut off, or its structure is wrong");
    done = decode_webp(file, demux, &data, image, err);
    WebPDemuxDelete(demux);
    return done < 0 ? -1 : 1;
}

const struct image_format image_import_webp = { "webp", next_webp, NULL };
