/* image_resample: reduces the pixels of images, with regard to their visible parts. See
 * image_job.h. */
#include <string.h>

#include "base/scope.h"
#include "compress/images/image_job.h"
#include "image/codec/dct.h"
#include "image/codec/resample.h"

#define SEEN 8 /* of 255: less opaque pixels keep their colour */

/* The soft mask of an image, as one channel. False if it has none that is easily read. */
static bool read_mask(struct image_job *image, struct raster *out)
{
    AUTO_OBJ struct obj mask = obj_key(image->obj, "/SMask");
    AUTO_FREE unsigned char *data = NULL;
    struct image_info info;
    size_t n;

    if (!obj_is_stream(mask) || !image_info_read(mask, &info) || info.bits != 8 ||
        info.channels != 1 || info.decode || info.indexed || info.packed)
        return false;
    if (info.filter == IMAGE_DCT)
        return obj_stream_raw(mask, &data, &n) && dct_read(data, n, -1, 8, out) &&
               out->channels == 1;
    if (info.filter != IMAGE_LOSSLESS || !obj_stream_data(mask, &data, &n) ||
        n < info.width * info.height)
        return false;
    *out = (struct raster){ info.width, info.height, 1, scope_take_ptr(&data) };
    return true;
}

static bool scale_mask(struct image_job *image, size_t width, size_t height, struct raster *out)
{
    AUTO_RASTER struct raster mask = { 0 };

    if (!read_mask(image, &mask))
        return false;
    *out = (struct raster){ .width = width, .height = height };
    return resample_raster(&mask, out);
}

/* Each sample times how much is seen of it. */
static bool weigh(const struct raster *image, const struct raster *mask, struct raster *out)
{
    size_t n = image->width * image->height, channels = image->channels;

    if (!raster_new(out, image->width, image->height, channels))
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < channels; c++)
            out->data[i * channels + c] =
                (uint8_t) ((image->data[i * channels + c] * mask->data[i] + 127) / 255);
    return true;
}

static void unweigh(struct raster *image, const struct raster *weighed, const struct raster *mask)
{
    size_t n = image->width * image->height, channels = image->channels;

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; mask->data[i] >= SEEN && c < channels; c++) {
            unsigned value = weighed->data[i * channels + c] * 255u / mask->data[i];

            image->data[i * channels + c] = (uint8_t) (value > 255 ? 255 : value);
        }
}

/*
 * Resamples the image to the target size; `out` as for resample_raster(). Colours of pixels that a
 * soft mask hides are ignored: they would bleed into their neighbours.
 */
static bool resample_seen(struct image_job *image, const struct raster *large, struct raster *out)
{
    AUTO_RASTER struct raster mask = { 0 }, weighed = { 0 };
    AUTO_RASTER struct raster small_mask = { .width = out->width, .height = out->height };
    AUTO_RASTER struct raster small = { .width = out->width, .height = out->height };

    if (!resample_raster(large, out))
        return false;
    if (!scale_mask(image, large->width, large->height, &mask)) {
        if (image->again)
            image_see(image, out);
        return true;
    }
    if (!weigh(large, &mask, &weighed) || !resample_raster(&weighed, &small) ||
        !resample_raster(&mask, &small_mask))
        return false;
    unweigh(out, &small, &small_mask);
    return true;
}

bool image_reduce(struct image_job *image, struct raster *out)
{
    struct raster *large = &image->large;

    *out = (struct raster){ .width = image->width, .height = image->height };
    if (large->width != image->width || large->height != image->height)
        return resample_seen(image, large, out);
    if (!image->again) {
        *out = *large;
        *large = (struct raster){ 0 };
        return true;
    }
    if (!raster_new(out, large->width, large->height, large->channels))
        return false;
    memcpy(out->data, large->data, large->width * large->height * large->channels);
    return true;
}
