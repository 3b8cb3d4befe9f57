/* image_dct: images that are JPEG already. See image_job.h. */
#include <string.h>

#include "compress/images/image_job.h"
#include "compress/streams/recode_flate.h"
#include "image/codec/dct.h"
#include "syntax/inflate/inflate.h"

/* without fewer pixels, the result must have at most this share of the bytes */
#define WORTH_LOSING 0.86
#define NEARLY_GRAY  6     /* how far the channels of a gray scan stored in colour stray */
#define FEW_SAMPLES  65536 /* of an image that may be smaller without JPEG; more take too long */

unsigned image_eighths(const struct image_job *image)
{
    unsigned eighths = 8;

    while (eighths > 1 && image->info.width * (eighths - 1) / 8 >= image->width * 5 / 4 &&
           image->info.height * (eighths - 1) / 8 >= image->height * 5 / 4 &&
           image->info.width * (eighths - 1) / 8 >= image->most_width &&
           image->info.height * (eighths - 1) / 8 >= image->most_height)
        eighths--;
    /* libjpeg-turbo decodes whole blocks with vector instructions, and 7/8 of them without. */
    return eighths == 7 ? 8 : eighths;
}

static bool unpack(struct image_job *image, const struct dct_info *dct, struct raster *raster)
{
    const struct buf *data = &image->out->data;

    if ((size_t) dct->channels != image->info.channels ||
        (!image->large.data && !dct_read(data->data, data->len, image->info.transform,
                                         image_eighths(image), &image->large)))
        return false;
    return image_reduce(image, raster);
}

static bool make_gray(const struct image_job *image, struct raster *raster, int off)
{
    if (raster->channels != 3 || image->info.space != SPACE_RGB || !image->info.device ||
        image->info.decode || image->info.matted || !raster_is_gray(raster, off))
        return false;
    raster_to_gray(raster);
    return true;
}

static bool has_few_samples(const struct raster *raster)
{
    return raster->width * raster->height * raster->channels <= FEW_SAMPLES;
}

/* The samples without further loss, if they take less than `limit` bytes: the tables of JPEG alone
 * take some hundred bytes, and lines of text and drawings of few pixels take no more. */
static bool write_samples(struct image_job *image, const struct raster *raster, bool gray,
                          size_t limit)
{
    if (!has_few_samples(raster) || raster->channels > 3 ||
        !image_pack_raster(image, raster, gray ? "/DeviceGray" : NULL, limit))
        return false;
    image_note_reduced(image, raster);
    return true;
}

/* Whether it became smaller. */
static bool write_lossy(struct image_job *image, const struct dct_info *dct)
{
    AUTO_RASTER struct raster raster = { 0 };
    AUTO_BUF struct buf packed = BUF_EMPTY;
    size_t limit = image->out->data.len, most;
    bool gray, good;

    if (!unpack(image, dct, &raster))
        return false;
    gray = make_gray(image, &raster, NEARLY_GRAY);
    most = image_shrinks(image) ? limit : (size_t) ((double) limit * WORTH_LOSING);
    good = image_write_dct(image, &raster, dct, has_few_samples(&raster) ? 0 : most, &packed) &&
           packed.len < most;
    if (write_samples(image, &raster, gray, good ? packed.len : limit))
        return true;
    if (!good || !image_replace(image, &packed, "/DCTDecode", raster.width, raster.height))
        return false;
    return !gray || image_set_space(image, "/DeviceGray", 8);
}

/* The image as it is, in fewer bytes. `samples`: it may also be stored as something else. */
static void write_alike(struct image_job *image, const struct dct_info *dct, bool samples)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    AUTO_RASTER struct raster raster = { 0 };
    struct buf *data = &image->out->data;
    bool smaller = dct_repack(data->data, data->len, &packed) && packed.len < data->len;

    if (samples && dct->width * dct->height * (size_t) dct->channels <= FEW_SAMPLES &&
        dct_read(data->data, data->len, image->info.transform, 8, &raster)) {
        bool gray = make_gray(image, &raster, 0);

        image->width = image->info.width;
        image->height = image->info.height;
        if (write_samples(image, &raster, gray, smaller ? packed.len : data->len))
            return;
    }
    if (!smaller)
        return;
    buf_free(data);
    *data = packed;
    packed = BUF_EMPTY;
}

bool image_strip_filters(struct image_job *image)
{
    AUTO_BUF struct buf inner = BUF_EMPTY;
    AUTO_OBJ struct obj filter = obj_key(image->obj, "/Filter");
    AUTO_OBJ struct obj first = obj_item(filter, 0);

    return obj_count(filter) == 2 && obj_name_is(first, "/FlateDecode") &&
           inflate_bytes(image->out->data.data, image->out->data.len, RASTER_MAX, &inner) &&
           new_stream_replace(image->out, &inner, "/DCTDecode") &&
           (image->info.transform < 0 ||
            new_stream_set(image->out, "/DecodeParms", "<</ColorTransform %d>>",
                           image->info.transform));
}

void image_recode_dct(struct image_job *image)
{
    const struct profile *profile = &image->profile;
    struct dct_info dct;
    struct buf *data = &image->out->data;
    bool may_change;

    if (image->info.packed && !image_strip_filters(image))
        return;
    if (!dct_look(data->data, data->len, image->info.transform, &dct) || !dct.plain ||
        dct.width != image->info.width || dct.height != image->info.height)
        return;
    may_change = profile->jpeg > 0 && !image->info.keyed && !image->info.indexed &&
                 image->info.bits == 8 && (size_t) dct.channels == image->info.channels;
    if (may_change && dct.width * dct.height >= 256 &&
        (image_shrinks(image) || dct.quality > profile->jpeg) && write_lossy(image, &dct))
        return;
    image_lost_nothing(image);
    write_alike(image, &dct, may_change);
}
