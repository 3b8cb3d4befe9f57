#include "image/encode/webp_writer.h"

#include <stdlib.h>
#include <webp/encode.h>

#include "base/scope.h"

#define METHOD 2 /* of 0 (fast) to 6 (small); previews of pages are viewed once */

static void widen(const struct pixmap *pixmap, uint8_t *rgb)
{
    for (uint32_t y = 0; y < pixmap->height; y++) {
        const uint8_t *row = pixmap->samples + y * pixmap->stride;

        for (uint32_t x = 0; x < pixmap->width; x++, rgb += 3)
            rgb[0] = rgb[1] = rgb[2] = row[x];
    }
}

static int put_webp(const uint8_t *data, size_t n, const WebPPicture *picture)
{
    buf_put(picture->custom_ptr, data, n);
    return !((struct buf *) picture->custom_ptr)->failed;
}

static int encode_webp(const struct pixmap *pixmap, const uint8_t *rgb, size_t stride,
                       float quality, struct buf *out)
{
    WebPConfig config;
    WebPPicture picture;
    int done;

    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return 0;
    config.quality = quality;
    config.method = METHOD;
    picture.width = (int) pixmap->width;
    picture.height = (int) pixmap->height;
    picture.writer = put_webp;
    picture.custom_ptr = out;
    done = WebPPictureImportRGB(&picture, rgb, (int) stride) && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    return done;
}

int webp_writer_write(const struct pixmap *pixmap, float quality, struct sink sink, struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_FREE uint8_t *rgb = NULL;
    const uint8_t *samples = pixmap->samples;
    size_t stride = pixmap->stride;

    if (pixmap->kind == PIXMAP_GRAY) {
        stride = (size_t) pixmap->width * 3;
        rgb = malloc(stride * pixmap->height);
        if (!rgb)
            return err_set(err, ERR_LIMIT_EXCEEDED, "a picture needs more memory than a job has");
        widen(pixmap, rgb);
        samples = rgb;
    }
    if (!encode_webp(pixmap, samples, stride, quality, &out))
        return err_set(err, ERR_LIMIT_EXCEEDED, "a picture needs more memory than a job has");
    return sink.put(sink.to, out.data, out.len, err);
}
