/* image_samples: images whose samples are at hand, unspoilt. See image_job.h. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "compress/images/image_job.h"
#include "compress/streams/recode_flate.h"
#include "image/codec/jbig2_write.h"

#define KEEP_LOSSLESS 1.2 /* a lossless result may be this many times as large as JPEG */
#define MASK_LOSSLESS 4.0 /* a soft mask's edges show first */

bool image_expand(const struct image_info *info, const uint8_t *data, struct raster *out)
{
    static const size_t channels[] = { 1, 3, 4, 0, 0 };
    size_t n = info->indexed ? channels[info->space] : info->channels;
    size_t per_row = (info->width * info->channels * info->bits + 7) / 8;
    uint8_t *to;

    if (n == 0 || !raster_new(out, info->width, info->height, n))
        return false;
    to = out->data;
    if (info->bits == 8 && !info->indexed) {
        memcpy(to, data, per_row * info->height);
        return true;
    }
    for (size_t y = 0; y < info->height; y++)
        for (size_t i = 0; i < info->width * info->channels; i++) {
            const uint8_t *p = data + y * per_row + i * info->bits / 8;
            unsigned max = (1u << info->bits) - 1;
            unsigned value = *p >> (8 - info->bits - i * info->bits % 8) & max;

            if (!info->indexed)
                *to++ = (uint8_t) (value * 255 / max);
            else {
                memcpy(to, info->palette + (value < info->n_colours ? value : 0) * n, n);
                to += n;
            }
        }
    return true;
}

/* Whether there are but two values, and they are the darkest and the brightest. */
static bool is_bilevel(const struct raster *raster)
{
    size_t n = raster->width * raster->height;

    for (size_t i = 0; i < n; i++)
        if (raster->data[i] != 0 && raster->data[i] != 255)
            return false;
    return raster->channels == 1;
}

static bool try_bilevel(struct image_job *image, const struct raster *raster)
{
    AUTO_BITMAP struct bitmap bitmap = { 0 };
    AUTO_BUF struct buf packed = BUF_EMPTY;

    if (!raster_bitmap_new(&bitmap, raster->width, raster->height))
        return false;
    for (size_t y = 0; y < raster->height; y++)
        for (size_t x = 0; x < raster->width; x++)
            if (raster->data[y * raster->width + x] == 0)
                bitmap.data[y * bitmap.stride + x / 8] |= (uint8_t) (0x80 >> x % 8);
    return jbig2_write(&bitmap, &packed) && packed.len < image_limit(image) &&
           image_replace(image, &packed, "/JBIG2Decode", raster->width, raster->height) &&
           new_stream_set(image->out, "/BitsPerComponent", "1");
}

void image_halve_bits(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size / 2; i++)
        data[i] = data[2 * i];
}

/* How much JPEG would take if it may be taken; 0 if not. */
static size_t write_jpeg(struct image_job *image, const struct raster *raster, struct buf *jpeg)
{
    const struct image_info *info = &image->info;

    if (image->profile.jpeg == 0 || info->keyed ||
        (raster->channels != 1 && raster->channels != 3 && raster->channels != 4) ||
        info->space == SPACE_NONE || (info->space == SPACE_OTHER && raster->channels != 1) ||
        raster->width * raster->height < 1024 || !image_write_dct(image, raster, NULL, 0, jpeg) ||
        jpeg->len >= image_limit(image))
        return 0;
    return jpeg->len;
}

void image_note_reduced(struct image_job *image, const struct raster *raster)
{
    image_lost_nothing(image);
    if (image->profile.loss > 0 && image_shrinks(image))
        image->likeness = image_raster_likeness(image, raster);
}

/* `space`: of the raster's samples. */
static void choose(struct image_job *image, const struct raster *raster, const char *space)
{
    AUTO_BUF struct buf jpeg = BUF_EMPTY;
    const struct usage_image *use = usage_image(image->setting->usage, obj_id(image->obj));
    double more = use && use->mask ? MASK_LOSSLESS : KEEP_LOSSLESS;
    size_t limit = image_limit(image), size;

    if (raster->channels == 1 && is_bilevel(raster) && try_bilevel(image, raster)) {
        image_set_space(image, space, 1);
        image_note_reduced(image, raster);
        return;
    }
    size = write_jpeg(image, raster, &jpeg);
    if (size > 0 && (double) size * more < (double) limit)
        limit = (size_t) ((double) size * more);
    if (image_pack_raster(image, raster, space, limit)) {
        image_note_reduced(image, raster);
    } else if (size > 0 &&
               image_replace(image, &jpeg, "/DCTDecode", raster->width, raster->height)) {
        image_set_space(image, space, 8);
    } else {
        image_lost_nothing(image);
    }
}

/* As they are: fewer or more bits than eight, or numbers that are no colours. */
static void repack(struct image_job *image, const uint8_t *data)
{
    size_t row = (image->info.width * image->info.channels * image->info.bits + 7) / 8;

    image->width = image->info.width;
    image->height = image->info.height;
    if (!image_pack_rows(image, data, row, image->info.channels, image->info.bits,
                         image->out->data.len))
        recode_flate(image->obj, image->out);
}

static void recode_raster(struct image_job *image)
{
    AUTO_RASTER struct raster raster = { 0 };
    const struct image_info *info = &image->info;
    const char *space = info->base;

    if (!image_reduce(image, &raster))
        return;
    if (image->gray)
        new_stream_remove(image->out, "/Decode");
    if (image->gray && info->keyed)
        new_stream_set(image->out, "/Mask", "[0 0]");
    if (raster.channels == 3 && info->space == SPACE_RGB && info->device && !info->decode &&
        !info->keyed && !info->matted && raster_is_gray(&raster, image->profile.jpeg > 0 ? 2 : 0)) {
        raster_to_gray(&raster);
        space = "/DeviceGray";
    }
    choose(image, &raster, space);
}

/* Whether the samples are those of a raster already. */
static bool is_raster(const struct image_info *info)
{
    return info->bits == 8 && !info->indexed && info->channels > 0 && info->channels <= 4 &&
           info->width > 0 && info->width <= RASTER_MAX_SIDE && info->height > 0 &&
           info->height <= RASTER_MAX_SIDE;
}

void image_recode_samples(struct image_job *image)
{
    const struct image_info *info = &image->info;
    struct image_info eight = *info;
    AUTO_FREE unsigned char *data = NULL;
    size_t n, row = (info->width * info->channels * info->bits + 7) / 8, size;

    if (image->large.data) {
        recode_raster(image);
        return;
    }
    if (!obj_stream_data(image->obj, &data, &n) || !num_mul(row, info->height, &size) || n < size ||
        size > RASTER_MAX) {
        recode_flate(image->obj, image->out);
        return;
    }
    if (!*info->base || (info->bits == 16 && image->profile.jpeg == 0) || info->stencil ||
        info->keyed || (info->bits < 8 && !image_shrinks(image)) ||
        (info->indexed && (info->decode || !image_shrinks(image)))) {
        repack(image, data);
        return;
    }
    if (info->bits == 16) {
        image_halve_bits(data, size);
        eight.bits = 8;
    }
    if (is_raster(&eight)) {
        image->large =
            (struct raster){ info->width, info->height, info->channels, scope_take_ptr(&data) };
        recode_raster(image);
    } else if (image_expand(&eight, data, &image->large)) {
        free(scope_take_ptr(&data));
        recode_raster(image);
    } else if (eight.bits == info->bits) {
        repack(image, data);
    } else {
        recode_flate(image->obj, image->out);
    }
}
